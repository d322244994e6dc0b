import type { Page } from '../stores/draft.ts'
import { site } from '../stores/site.ts'

/** The page as a search engine may list it. */
export function SearchPreview({ page: { slug, title, meta } }: { readonly page: Page }) {
  const { previewUrl, siteName = 'Website' } = site.value ?? {}
  const host = URL.parse(previewUrl ?? '')?.host ?? 'example.com'
  const path = slug === '/' ? [] : slug.split('/').filter(Boolean)
  return (
    <figure class="search-preview" aria-label="Search result">
      <figcaption>Search result</figcaption>
      <p class="search-address" dir="ltr">
        <b>{siteName}</b> {[host, ...path].join(' › ')}
      </p>
      <p class="search-title" dir="auto">
        {cut(meta?.title || title, 60)}
      </p>
      {meta?.description ? (
        <p dir="auto">{cut(meta.description, 160)}</p>
      ) : (
        <p class="soft">Search engines choose a text of the page.</p>
      )}
    </figure>
  )
}

/** A text as long as search engines show it. */
function cut(text: string, longest: number): string {
  const letters = [...text]
  if (letters.length <= longest) return text
  return `${letters
    .slice(0, longest - 1)
    .join('')
    .replace(/(?<!\s)\s+\S*$/, '')}…`
}
