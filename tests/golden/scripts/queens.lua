local function queens(n)
  local count, column, rising, falling = 0, {}, {}, {}
  local function place(row)
    if row > n then count = count + 1 return end
    for c = 1, n do
      if not column[c] and not rising[row + c] and not falling[row - c] then
        column[c], rising[row + c], falling[row - c] = true, true, true
        place(row + 1)
        column[c], rising[row + c], falling[row - c] = nil, nil, nil
      end
    end
  end
  place(1)
  return count
end
print(queens(6))
local t = {}
for i = 1, 2000 do t["k" .. i % 300] = (t["k" .. i % 300] or 0) + i end
local sum = 0
for _, v in pairs(t) do sum = sum + v end
print(sum, #string.rep("x", 1000), pcall(error, "e"))
