local next_number = string.gmatch(io.read("*a"), "%d+")
local n = tonumber(next_number())
local a, seen, different, sum = {}, {}, 0, 0
for i = 1, n do
  a[i] = tonumber(next_number())
  if not seen[a[i]] then
    seen[a[i]] = true
    different = different + 1
  end
end
table.sort(a)
for i = 1, n do sum = sum + a[i] * ((i - 1) % 7) end
print(string.format("%d %d %d", sum, different, a[math.floor(n / 2) + 1]))
