import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { ShopPage } from "../client";
import { envelopeOf, metadataOf } from "../found";

interface Props {
  params: Promise<{ path: string[] }>;
  searchParams: Promise<Record<string, string | string[]>>;
}

export async function generateMetadata(props: Props) {
  return metadataOf(await envelopeFor(props));
}

export default async function Page(props: Props) {
  return <ShopPage envelope={await envelopeFor(props)} />;
}

async function envelopeFor({ params, searchParams }: Props) {
  const { path } = await params;
  const query = Object.entries(await searchParams).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, each]),
  );
  const cookie = (await headers()).get("cookie") ?? "";
  const envelope = envelopeOf(`/${path.join("/")}?${new URLSearchParams(query)}`, cookie);
  return envelope ?? notFound();
}
