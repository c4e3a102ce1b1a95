import { type RouteConfig, route } from "@react-router/dev/routes";

export default [route("kept/:name", "kept.tsx"), route("*", "page.tsx")] satisfies RouteConfig;
