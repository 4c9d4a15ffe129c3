// compares the keys of .env and .env.example; values are never printed
import { readFileSync } from 'node:fs';
const keys = f => new Set(readFileSync(f, 'utf8').split('\n').map(l => l.match(/^\s*(?:export\s+)?([A-Z0-9_]+)=/i)?.[1]).filter(Boolean));
const a = keys('.env'), b = keys('.env.example');
for (const k of b) if (!a.has(k)) console.log('missing in .env:', k);
for (const k of a) if (!b.has(k)) console.log('missing in .env.example:', k);
