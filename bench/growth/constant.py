# Growth 1; number; 1000..128000: a remainder, in an interpreter
print(int(input()) % 7)
