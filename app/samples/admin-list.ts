import type { ListView } from "../lib/types";

const adminList: ListView = {
  path: "/admin/samples",
  q: "sample",
  sort: "-at",
  query: "q=sample&status=one",
  columns: ["at", "name", "total"].map((name, index) => ({
    name,
    label: name,
    is_shown: true,
    is_number: index !== 1,
    sorted: index === 0 ? "descending" : null,
    sort_href: index === 1 ? null : `/admin/samples?sort=${name}`,
  })),
  filters: [
    {
      name: "status",
      label: "Status",
      is_days: false,
      from: null,
      to: null,
      options: [
        { value: "one", label: "One", is_on: true },
        { value: "two", label: "Two", is_on: false },
      ],
    },
    { name: "at", label: "When", is_days: true, from: "2026-11-01", to: null, options: [] },
  ],
  is_filtered: true,
  total: 1_234,
  is_counted_up: true,
  previous: null,
  next: "/admin/samples?after=sample",
  built_in: [
    { label: "All", href: "/admin/samples" },
    { label: "New", href: "/admin/samples?state=new" },
  ],
  views: [
    {
      id: "view",
      name: "Mine",
      href: "/admin/samples?q=sample",
      is_shared: false,
      may_delete: true,
    },
  ],
};

/** A list of the admin area with these columns. */
export const listOf = (...names: string[]): ListView => ({
  ...adminList,
  columns: names.map((name) => ({
    name,
    label: name,
    is_shown: true,
    is_number: false,
    sorted: null,
    sort_href: null,
  })),
});
