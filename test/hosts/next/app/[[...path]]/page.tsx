import { fetchEditorPage } from 'content-orchestrator/site'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { Blocks } from '../../lib/blocks.tsx'
import { LivePreview } from '../../lib/live-preview.tsx'
import { adapter, orchestrator, siteId } from '../../lib/site.ts'

interface Props {
  readonly params: Promise<{ readonly path?: readonly string[] }>
}

/** Cached per request. */
const show = cache(async (slug: string) => fetchEditorPage(slug, { headers: await headers() }, { adapter, orchestrator, siteId }))

const slugOf = async ({ params }: Props): Promise<string> => `/${((await params).path ?? []).join('/')}`

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { page } = await show(await slugOf(props))
  return { title: page?.title ?? 'Not found' }
}

export default async function Page(props: Props) {
  const { live, page, slugs } = await show(await slugOf(props))
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
