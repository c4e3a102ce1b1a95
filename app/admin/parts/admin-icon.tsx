/** Strokes on a 20 × 20 grid. */
const PATHS: Record<string, string> = {
  analytics: "M3 17V3M3 17h14M6.5 13.5l3.5-4 3 2.5 4-6",
  audit: "M5 3h7l3 3v11H5zM12 3v3h3M7.5 9.5h5M7.5 12h5M7.5 14.5h3",
  bug: "M7 7a3 3 0 016 0M6 8h8v4.5a4 4 0 01-8 0zM3 10h3M14 10h3M4 5.5L6.5 8M16 5.5L13.5 8M4 16l2.5-2M16 16l-2.5-2M10 8v8",
  columns: "M3 4h14v12H3zM8 4v12M12.5 4v12",
  download: "M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13",
  external: "M11 3.5h5.5V9M16 4l-7 7M14 11.5v5H3.5V6h5",
  help: "M7 7.5a3 3 0 114.5 2.6c-1 .6-1.5 1.1-1.5 2.4M10 16v.1",
  more: "M4.5 10v.1M10 10v.1M15.5 10v.1",
  orders: "M4 7h12l-1 10H5zM7 7V5.5a3 3 0 016 0V7",
  overview: "M3 3.5h6v6H3zM11 3.5h6v3.5h-6zM11 9.5h6v7h-6zM3 12h6v4.5H3z",
  products: "M10 2.5l7 3.5v8l-7 3.5L3 14V6zM3 6l7 3.5L17 6M10 9.5v8",
  settings: "M4 6h6M14 6h2M4 14h2M10 14h6M12 4v4M8 12v4",
  testing: "M8 3v5L3.5 15.5A1.4 1.4 0 004.8 17.5h10.4a1.4 1.4 0 001.3-2L12 8V3M6.5 3h7M6 13h8",
  users:
    "M7.5 9.5a3 3 0 100-6 3 3 0 000 6zM2.5 17a5 5 0 0110 0M13 4a3 3 0 010 5.5M14.5 12.3a5 5 0 013 4.7",
};

export function AdminIcon({ name }: { name: string }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
