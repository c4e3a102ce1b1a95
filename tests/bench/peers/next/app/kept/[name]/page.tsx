import { notFound } from "next/navigation";
import { ShopPage } from "../../client";
import { keptPages, metadataOf } from "../../found";

interface Props {
  params: Promise<{ name: string }>;
}

export const dynamic = "force-static";
export const dynamicParams = false;

export function generateStaticParams() {
  return [...keptPages.keys()].map((name) => ({ name }));
}

export async function generateMetadata(props: Props) {
  return metadataOf(await envelopeFor(props));
}

export default async function Page(props: Props) {
  return <ShopPage envelope={await envelopeFor(props)} />;
}

async function envelopeFor({ params }: Props) {
  return keptPages.get((await params).name) ?? notFound();
}
