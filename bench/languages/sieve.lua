-- Twin primes below n, by a sieve, a number of times.
local function twins(n)
  local composite = {}
  for i = 1, n do composite[i] = false end
  local count, last = 0, -9
  for i = 2, n do
    if not composite[i] then
      if i - last == 2 then count = count + 1 end
      last = i
      for j = i * i, n, i do composite[j] = true end
    end
  end
  return count
end

local sum = 0
for round = 0, tonumber(arg[2]) - 1 do sum = sum + twins(tonumber(arg[1]) - round) end
print(sum)
