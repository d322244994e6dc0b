import type { Page } from '../../plugins/content/page.ts'

const sentence = 'A page of some length says what it has to say in plain words, and then says it once more for good measure. '

/** A page of about `bytes` bytes of JSON: text blocks of one kilobyte each. */
export function pageOf(bytes: number, slug = '/'): Page {
  const blocks = Array.from({ length: Math.max(1, Math.round(bytes / 1024)) }, (_, at) => ({
    id: `b_richtext_${at}`,
    type: 'RichText',
    props: { title: `Part ${at}`, body: sentence.repeat(9).slice(0, 930) },
  }))
  return { id: slug === '/' ? 'p_home' : `p_${slug.slice(1)}`, slug, title: `Page ${slug}`, updatedAt: '2026-01-01T12:00:00.000Z', blocks }
}

/** A site of `count` pages of about `bytes` bytes each, home first. */
export function siteOf(count: number, bytes: number): readonly Page[] {
  return Array.from({ length: count }, (_, at) => pageOf(bytes, at === 0 ? '/' : `/page-${at}`))
}
