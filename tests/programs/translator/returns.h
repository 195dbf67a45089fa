// Code that a program makes: a function that returns a number.
#pragma once
#include <string.h>

typedef int (*Function)(void);

static void Returns(unsigned char* at, int value) {
  at[0] = 0xb8;  // mov eax, value
  memcpy(at + 1, &value, 4);
  at[5] = 0xc3;  // ret
}
