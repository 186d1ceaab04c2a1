/** The formulas of the sizing, for readers of the page: result, formula. `measured` is a saved result, the rest are inputs. */
export const formulas: readonly (readonly [result: string, formula: string])[] = [
  ['calls per second of a kind', 'members × `active` × `calls` × `peak` ÷ 86,400'],
  ['cores of a service or engine', 'Σ calls per second × measured time of a call + measured idle time'],
  ['Elasticsearch’s time of a search', 'line through two measured numbers of members, at members × `market`'],
  ['cores of search, in addition', 'updates per second × members × `alerts` × measured time by alert'],
  ['processes of a service', 'cores ÷ `utilization`, sockets ÷ 10,000 (gateway, updates); at least 2'],
  ['memory of a service', 'processes × measured memory + sockets × measured memory of one'],
  ['bytes in MongoDB', 'members × Σ `kept` × measured bytes of a document and its index keys'],
  [
    'shards of MongoDB',
    'the most of cores ÷ `utilization`, indexes × `recent` ÷ half the memory, bytes ÷ 0.7 of the disk of a node; without what every shard answers',
  ],
  ['bytes of the index', 'line through two measured numbers of members'],
  ['shards of the index', 'the most of bytes ÷ `shard`, time of a search ÷ `searchMs`'],
  [
    'nodes of Elasticsearch',
    'the most of cores ÷ `utilization`, two copies ÷ half the memory of a node; at least 3',
  ],
  ['bytes in Redis', 'daily active members × measured bytes of one'],
  ['servers of Redis', 'cores ÷ `utilization`, each with a replica: it uses one core'],
  ['events per second', 'Σ calls per second × measured events of a call + updates'],
  ['most events of a queue', 'measured events per second of one × `utilization`'],
  ['backlog of RabbitMQ in an hour', 'events × 3,600 × measured bytes of a body, of one queue'],
  [
    'bytes of photos',
    'members × `kept.photos` × measured bytes of the files of one that is full of noise: others are smaller',
  ],
  ['hours of matching', 'members × `recent` × measured time of one, in one process'],
  ['hours of a rebuild', 'members ÷ measured members per second'],
];
