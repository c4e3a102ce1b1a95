import { reusable } from "../../ssr-runtime/js/reusable";
import { useShared } from "../lib/shared";
import type { Menu } from "../lib/types";

interface Props {
  menu: Menu;
  /** Lead to the front page, too. */
  home: boolean;
}

function Links({ menu, home }: Props) {
  return (
    <>
      {home && (
        <li>
          <a href="/">Home</a>
        </li>
      )}
      {menu.items.map(({ label, href }) => (
        <li key={href}>
          <a href={href}>{label}</a>
        </li>
      ))}
    </>
  );
}

const ReusableLinks = reusable(Links, {
  as: "ul",
  attributes: () => ({ className: "ways" }),
  data: ({ menu }) => menu,
  key: ({ home }) => String(home),
});

/** Ways on from a page that has nothing to show. */
export function CategoryLinks({ home = false }: { home?: boolean }) {
  const { menu } = useShared();
  return <ReusableLinks menu={menu} home={home} />;
}
