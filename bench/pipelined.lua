-- Sends requests without waiting for their answers: 200 at once on each connection.
init = function()
  local one = wrk.format()
  local all = {}
  for index = 1, 200 do all[index] = one end
  requests = table.concat(all)
end
request = function() return requests end
