import { mongo } from 'mongoose';
import { startEngine } from './src/engines/engines.ts';
const e = await startEngine('mongodb', { dataDir: '/tmp/d5', logDir: '/tmp/d5/logs', environment: process.env, progress: () => {} });
const c = new mongo.MongoClient(e.url); const x = c.db('ttl').collection('x');
await x.createIndex({ at: 1 }, { expireAfterSeconds: 10 });
await x.insertMany([{ k: 'old', at: new Date(Date.now() - 60000) }, { k: 'future', at: new Date(Date.now() + 1e6) }, { k: 'none' }, { k: 'string', at: 'zzz' }]);
await new Promise((r) => setTimeout(r, 66000));
console.log((await x.find().toArray()).map((d) => d['k']));
await c.close(); await e.stop();
