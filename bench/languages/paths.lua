-- Shortest paths from vertex 0 of a random graph of n vertices, four edges each, a number of times; and how often each length ends in
-- which digits, counted in a table.
local state = 1
local function random(below)
  state = state * 16807 % 2147483647
  return state % below
end

local function push(heap, x)
  local i = #heap + 1
  while i > 1 do
    local up = math.floor(i / 2)
    if heap[up] <= x then break end
    heap[i] = heap[up]
    i = up
  end
  heap[i] = x
end

local function pop(heap)
  local n = #heap
  local first, x = heap[1], heap[n]
  heap[n] = nil
  n = n - 1
  if n == 0 then return first end
  local i, down = 1, 2
  while down <= n do
    if down < n and heap[down + 1] < heap[down] then down = down + 1 end
    if heap[down] >= x then break end
    heap[i] = heap[down]
    i, down = down, 2 * down
  end
  heap[i] = x
  return first
end

local function lengths(n)
  local to, weight, length = {}, {}, {}
  for i = 0, 4 * n - 1 do
    to[i] = random(n)
    weight[i] = 1 + random(100)
  end
  for i = 0, n - 1 do length[i] = math.huge end
  length[0] = 0
  local heap = {0}
  while #heap > 0 do
    local next = pop(heap)
    local at = next % n
    if math.floor(next / n) <= length[at] then
      for i = 4 * at, 4 * at + 3 do
        local there = length[at] + weight[i]
        if there < length[to[i]] then
          length[to[i]] = there
          push(heap, there * n + to[i])
        end
      end
    end
  end
  return length
end

local sum, endings, kinds = 0, {}, 0
local n = tonumber(arg[1])
for round = 1, tonumber(arg[2]) do
  local length = lengths(n)
  for i = 0, n - 1 do
    if length[i] ~= math.huge then
      sum = sum + length[i]
      local key = "e" .. length[i] % 1000
      if not endings[key] then kinds = kinds + 1 end
      endings[key] = (endings[key] or 0) + 1
    end
  end
end
print(string.format("%d %d %d", sum, kinds, endings["e300"]))
