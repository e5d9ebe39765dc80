/* A row of the table becomes a few words in the language of each shell. */
#include "app/completion.h"

#include <string.h>

#include "app/options_internal.h"

static bool
takes_file(const struct option *option)
{
	return option->row.argument != NULL && strcmp(option->row.argument, "FILE") == 0;
}

/* "auto dark light" */
static void
add_words(struct text *out, const struct option *option)
{
	for (size_t i = 0; option->words != NULL && option->words[i] != NULL; i++)
		text_format(out, "%s%s", i > 0 ? " " : "", option->words[i]);
}

/* A help text within single quotes; what would end them or be a sign of the shell's is shielded. */
static void
add_help(struct text *out, const char *help, const char *shielded)
{
	for (; *help != '\0'; help++) {
		if (*help == '\'')
			text_add_string(out, "'\\'");
		else if (strchr(shielded, *help) != NULL)
			text_add_string(out, "\\");
		text_add(out, help, 1);
	}
}

/* ---- bash */

static void
add_bash_case(struct text *out, const struct option *option)
{
	if (option->row.argument == NULL)
		return;
	text_format(out, "\t--%s", option->row.name);
	if (option->row.letter != 0)
		text_format(out, " | -%c", option->row.letter);
	text_add_string(out, ")\n\t\t");
	if (takes_file(option)) {
		text_add_string(out, "compopt -o filenames\n\t\tCOMPREPLY=($(compgen -f -- \"$word\"))");
	} else {
		text_add_string(out, "COMPREPLY=($(compgen -W '");
		add_words(out, option);
		text_add_string(out, "' -- \"$word\"))");
	}
	text_add_string(out, "\n\t\treturn\n\t\t;;\n");
}

/* bash cuts "--palette=da" into three words. */
static void
add_bash(struct text *out)
{
	const struct option *option;
	text_add_string(out,
		"# bash completion for ttrace\n"
		"_ttrace() {\n"
		"\tlocal word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}\n"
		"\tif [[ $word == = ]]; then\n"
		"\t\tword=\n"
		"\telif [[ $option == = ]]; then\n"
		"\t\toption=${COMP_WORDS[COMP_CWORD - 2]}\n"
		"\tfi\n"
		"\tcase $option in\n");
	for (size_t i = 0; (option = option_at(i)) != NULL; i++)
		add_bash_case(out, option);
	text_add_string(out, "\tesac\n"
			     "\tif [[ $word != -* ]]; then\n"
			     "\t\tcompopt -o filenames\n"
			     "\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n"
			     "\t\treturn\n"
			     "\tfi\n"
			     "\tCOMPREPLY=($(compgen -W '");
	for (size_t i = 0; (option = option_at(i)) != NULL; i++)
		text_format(out, "%s--%s%s", i > 0 ? " " : "", option->row.name,
			option->row.argument != NULL ? "=" : "");
	text_add_string(out, "' -- \"$word\"))\n"
			     "\t[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
			     "}\n"
			     "complete -F _ttrace ttrace\n");
}

/* ---- zsh */

static void
add_zsh_option(struct text *out, const struct option *option)
{
	const struct option_row *row = &option->row;
	const char *equals = row->argument != NULL ? "=" : "";
	if (row->letter != 0)
		text_format(out, "\t'(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name, row->letter,
			row->argument != NULL ? "+" : "", row->name, equals);
	else
		text_format(out, "\t'--%s%s[", row->name, equals);
	add_help(out, row->help, "[]:\\");
	text_add_string(out, "]");
	if (row->argument != NULL) {
		text_add_string(out, ":");
		add_help(out, row->argument, ":\\");
		text_add_string(out, ":");
		if (takes_file(option))
			text_add_string(out, "_files");
		else if (option->words != NULL) {
			text_add_string(out, "(");
			add_words(out, option);
			text_add_string(out, ")");
		}
	}
	text_add_string(out, "' \\\n");
}

static void
add_zsh(struct text *out)
{
	const struct option *option;
	text_add_string(out, "#compdef ttrace\n\n_arguments -s -S \\\n");
	for (size_t i = 0; (option = option_at(i)) != NULL; i++)
		add_zsh_option(out, option);
	text_add_string(out, "\t'*:trace:_files'\n");
}

/* ---- fish */

static void
add_fish(struct text *out)
{
	const struct option *option;
	text_add_string(out, "# fish completion for ttrace\n");
	for (size_t i = 0; (option = option_at(i)) != NULL; i++) {
		const struct option_row *row = &option->row;
		text_add_string(out, "complete -c ttrace");
		if (row->letter != 0)
			text_format(out, " -s %c", row->letter);
		text_format(out, " -l %s", row->name);
		if (takes_file(option))
			text_add_string(out, " -r -F");
		else if (row->argument != NULL)
			text_add_string(out, " -x");
		if (option->words != NULL) {
			text_add_string(out, " -a '");
			add_words(out, option);
			text_add_string(out, "'");
		}
		text_add_string(out, " -d '");
		add_help(out, row->help, "\\");
		text_add_string(out, "'\n");
	}
}

void
completion_write(struct text *out, enum option_shell shell)
{
	switch (shell) {
	case SHELL_BASH:
		add_bash(out);
		return;
	case SHELL_ZSH:
		add_zsh(out);
		return;
	case SHELL_FISH:
		add_fish(out);
		return;
	case SHELL_NONE:
		return;
	}
}
