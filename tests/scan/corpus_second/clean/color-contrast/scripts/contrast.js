const lum = h => {
  const [r, g, b] = h.replace('#', '').match(/../g).map(x => parseInt(x, 16) / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const [a, b] = process.argv.slice(2, 4).map(lum).sort((x, y) => y - x);
const ratio = (a + 0.05) / (b + 0.05);
console.log(ratio.toFixed(2), ratio >= 4.5 ? 'passes AA' : ratio >= 3 ? 'large text only' : 'fails');
