/** Counts of times in milliseconds, each in a class that is 2% wide: hours of them need little memory. */
export class Histogram {
  #classes = new Map();
  #count = 0;

  add(milliseconds) {
    const at = Math.ceil(Math.log(Math.max(milliseconds, 0.01)) / Math.log(1.02));
    this.#classes.set(at, (this.#classes.get(at) ?? 0) + 1);
    this.#count++;
  }

  summary() {
    return { count: this.#count, p50: this.#percentile(0.5), p99: this.#percentile(0.99) };
  }

  #percentile(part) {
    let left = this.#count * part;
    for (const [at, count] of [...this.#classes].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return 1.02 ** at;
    }
    return 0;
  }
}

/** Of the straight line through the points, by least squares. */
export function slope(points) {
  const mean = (of) => points.reduce((total, point) => total + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point[0]), mean((point) => point[1])];
  const above = points.reduce((total, point) => total + (point[0] - x) * (point[1] - y), 0);
  return above / points.reduce((total, point) => total + (point[0] - x) ** 2, 0);
}

export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
