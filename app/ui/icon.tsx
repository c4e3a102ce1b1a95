/** Strokes on a 20 × 20 grid. */
const PATHS = {
  arrow: "M3 10h13M11 5l5 5-5 5",
  cart: "M4.5 7h11l1 10.5h-13zM7 7V5.5a3 3 0 016 0V7",
  check: "M4.5 10.5l4 4 7-9",
  chevron: "M5 8l5 5 5-5",
  close: "M5 5l10 10M15 5L5 15",
  filter: "M3 6h14M6 10h8M8.5 14h3",
  menu: "M3 6h14M3 10h14M3 14h14",
  minus: "M5 10h10",
  person: "M10 10a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM3.5 17.5a6.5 6.5 0 0113 0",
  plus: "M5 10h10M10 5v10",
  search: "M9 15A6 6 0 109 3a6 6 0 000 12zM13.5 13.5L17.5 17.5",
};

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
