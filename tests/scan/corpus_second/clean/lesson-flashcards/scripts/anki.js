import { readFileSync } from 'node:fs';
// lines of the form "Q: ..." followed by "A: ..."
const lines = readFileSync(process.argv[2], 'utf8').split('\n');
let q = null;
for (const l of lines) {
  if (l.startsWith('Q: ')) q = l.slice(3).trim();
  else if (l.startsWith('A: ') && q) { console.log(`${q}\t${l.slice(3).trim()}`); q = null; }
}
