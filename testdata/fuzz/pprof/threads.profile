--- threadz 1 ---

--- Thread 7f00 (name: main/123) stack: ---
  PC: 0x40d688 0x4015f6
  0x401e66
--- Thread 7f01 (name: w/124) stack: ---
  [same as previous thread]
---- no stack trace for 2 threads ----
--- Memory map: ---
  00400000-00500000: /bin/app
