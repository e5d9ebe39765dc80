--- threadz 1 ---

--- Thread 7f00 (name: main/123) stack: ---
  PC: 0x40d688 0x
  0x