// Where nodes stand: springs along edges, everything else pushed apart, labels off each other; the same picture every time.

const STEPS = 300;
const EDGE = 125;
const LINE = 46; // a node with its label below

export function layout(nodes, edges, centre, widths, shape = 1) {
  const places = new Map();
  nodes.forEach((node, index) => {
    const angle = index * 2.399963; // the golden angle: no two on one ray
    const far = node.id === centre ? 0 : 60 + 22 * Math.sqrt(index);
    places.set(node.id, { x: far * Math.cos(angle) * 1.5, y: far * Math.sin(angle) });
  });
  const lines = edges.filter((each) => places.has(each.src) && places.has(each.dst) && each.src !== each.dst);
  for (let step = 0; step < STEPS; step += 1) push(places, lines, 40 * (1 - step / STEPS) + 0.4, centre);
  scale(places, lines, Math.min(1, shape));
  for (let step = 0; step < 80; step += 1) if (!part([...places.entries()], widths, centre)) break;
  return places;
}

// However many there are, an edge is as long as a label or two; a canvas that is higher than wide has them above each other.
function scale(places, lines, narrow) {
  const lengths = lines.map(({ src, dst }) => Math.hypot(places.get(src).x - places.get(dst).x, places.get(src).y - places.get(dst).y));
  const factor = lengths.length ? EDGE / Math.max(1, lengths.reduce((one, other) => one + other, 0) / lengths.length) : 1;
  for (const at of places.values()) {
    at.x *= factor * narrow;
    at.y *= factor / narrow;
  }
}

// The part of the plane that holds them all, with room for labels, in the shape of the canvas.
export function frame(places, widths, shape, least = 520) {
  const all = [...places.entries()];
  const left = Math.min(...all.map(([id, at]) => at.x - widths.get(id) / 2)) - 16;
  const right = Math.max(...all.map(([id, at]) => at.x + widths.get(id) / 2)) + 16;
  const top = Math.min(...all.map(([, at]) => at.y)) - 26;
  const bottom = Math.max(...all.map(([, at]) => at.y)) + LINE;
  const width = Math.max(right - left, (bottom - top) * shape, least);
  const height = width / shape;
  return [(left + right - width) / 2, (top + bottom - height) / 2, width, height];
}

function push(places, lines, most, centre) {
  const all = [...places.entries()];
  const forces = new Map(all.map(([id, at]) => [id, { x: -at.x * 0.012, y: -at.y * 0.03 }]));
  for (let one = 0; one < all.length; one += 1) {
    for (let other = one + 1; other < all.length; other += 1) {
      const x = (all[one][1].x - all[other][1].x) || 0.1;
      const y = (all[one][1].y - all[other][1].y) || 0.1;
      const strength = 5200 / (x * x * 0.45 + y * y); // labels are wide: more room beside than above
      add(forces, all[one][0], x, y, strength * 0.9);
      add(forces, all[other][0], x, y, -strength * 0.9);
    }
  }
  for (const { src, dst } of lines) {
    const [a, b] = [places.get(src), places.get(dst)];
    const [x, y] = [b.x - a.x, b.y - a.y];
    const pull = 0.045 * (1 - 70 / Math.max(20, Math.hypot(x * 0.6, y)));
    add(forces, src, x, y, pull);
    add(forces, dst, x, y, -pull);
  }
  for (const [id, at] of all) {
    if (id === centre) continue;
    const force = forces.get(id);
    const size = Math.hypot(force.x, force.y) || 1;
    at.x += (force.x / size) * Math.min(size, most);
    at.y += (force.y / size) * Math.min(size, most);
  }
}

function add(forces, id, x, y, strength) {
  const force = forces.get(id);
  force.x += x * strength;
  force.y += y * strength;
}

// Nodes whose labels overlap step aside, by the shorter way.
function part(all, widths, centre) {
  let moved = false;
  for (let one = 0; one < all.length; one += 1) {
    for (let other = one + 1; other < all.length; other += 1) {
      const [[idA, a], [idB, b]] = [all[one], all[other]];
      const wide = (widths.get(idA) + widths.get(idB)) / 2 + 10 - Math.abs(a.x - b.x);
      const high = LINE - Math.abs(a.y - b.y);
      if (wide <= 0 || high <= 0) continue;
      moved = true;
      const along = wide < high ? "x" : "y";
      const way = (a[along] <= b[along] ? -1 : 1) * (Math.min(wide, high) / 2 + 1);
      if (idA !== centre) a[along] += idB === centre ? way * 2 : way;
      if (idB !== centre) b[along] -= idA === centre ? way * 2 : way;
    }
  }
  return moved;
}
