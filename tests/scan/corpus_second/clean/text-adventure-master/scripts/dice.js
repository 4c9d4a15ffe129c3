const [n, s] = (process.argv[2] || '1d20').split('d').map(Number);
console.log(Array.from({ length: n }, () => 1 + Math.floor(Math.random() * s)).join(' '));
