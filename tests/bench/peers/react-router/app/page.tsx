import { type LoaderFunctionArgs, type MetaArgs, useLoaderData } from "react-router";
import { ShopPage } from "../../shop-page";
import { envelopeOf } from "./found.server";
import { metaOf } from "./meta";

export function loader({ request }: LoaderFunctionArgs) {
  return envelopeOf(request);
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  return loaderData ? metaOf(loaderData) : [];
}

export default function Page() {
  return <ShopPage envelope={useLoaderData<typeof loader>()} />;
}
