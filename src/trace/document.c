#include "trace/document.h"

#include "base/memory.h"

struct document *
document_new(struct error *err)
{
	return array_new(1, sizeof(struct document), err);
}

void
document_free(struct document *document)
{
	if (document == NULL)
		return;
	memory_free(document->bytes);
	memory_free(document->parts);
	memory_free(document);
}
