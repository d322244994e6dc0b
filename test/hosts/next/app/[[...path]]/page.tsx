import { fetchEditorPage } from 'content-orchestrator/site'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound, permanentRedirect } from 'next/navigation'
import { cache } from 'react'
import { Blocks } from '../../lib/blocks.tsx'
import { LivePreview } from '../../lib/live-preview.tsx'
import { adapter, orchestrator, siteId } from '../../lib/site.ts'

interface PageProps {
  readonly params: Promise<{ readonly path?: readonly string[] }>
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>
}

/** Cached per request. An editor names its draft in the query. */
const show = cache(async (slug: string, query: string) =>
  fetchEditorPage(slug, { headers: await headers(), url: `?${query}` }, { adapter, orchestrator, siteId }),
)

async function shown({ params, searchParams }: PageProps) {
  const query = Object.entries(await searchParams).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  return show(`/${((await params).path ?? []).join('/')}`, String(new URLSearchParams(query)))
}

export async function generateMetadata(props: PageProps): Promise<Metadata> {
  const { page } = await shown(props)
  return { title: page?.title ?? 'Not found' }
}

export default async function Page(props: PageProps) {
  const { live, page, redirect, slugs } = await shown(props)
  if (redirect) permanentRedirect(redirect)
  if (!page) notFound()
  return (
    <>
      <nav>
        <ul>
          {slugs.map((each) => (
            <li key={each}>
              <a href={each}>{each}</a>
            </li>
          ))}
        </ul>
        <input type="search" aria-label="Search" />
      </nav>
      <main>
        <Blocks blocks={page.blocks} />
      </main>
      {live && <LivePreview {...live} />}
    </>
  )
}
