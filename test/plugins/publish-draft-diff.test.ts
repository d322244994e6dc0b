/** A diff that is changed page by page is the diff that is made at once. */
import t from 'tap'
import type { Page } from '../../plugins/content/page.ts'
import { DraftDiff } from '../../plugins/publish/testing.ts'
import fc, { costlyRuns } from '../helpers/property.ts'

/** In their order, in which the JSON of a first comparison is packed. */
const slugs = Array.from({ length: 600 }, (_, n) => `/page-${1000 + n}`)
const pageOf = (slug: string, heading: string): Page => ({
  id: slug,
  slug,
  title: slug,
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: [{ id: `b${slug}`, type: 'Hero', props: { heading } }],
})
const published = slugs.slice(0, 300).map((slug) => pageOf(slug, 'one'))
const files = {
  likeOn:
    () =>
    <T>(content: T): T =>
      content,
}

const change = fc.record({
  at: fc.nat(slugs.length - 1),
  to: fc.constantFrom('one', 'two', 'three', 'four', undefined),
})
const rounds = fc.array(fc.array(change, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 6 })

/** The same change of all pages. */
const all = (to: string | undefined) => slugs.map((_, at) => ({ at, to }))

const jsonOf = async (diff: DraftDiff) => {
  const parts = await diff.toParts(undefined, new Map(), { previewVersion: 1, conflicts: [] })
  return Buffer.concat(parts).toString()
}

t.test('pages that change, come and go stand where a new diff has them', async (t) => {
  await fc.assert(
    fc.asyncProperty(rounds, async (drawn) => {
      const draft = new Map(published.map((page) => [page.slug, page]))
      const kept = new DraftDiff({ pages: published }, files)
      for (const [slug, page] of draft) kept.set(slug, page)
      for (const round of drawn) {
        await jsonOf(kept)
        for (const { at, to } of round) {
          const slug = slugs[at] ?? ''
          const page = to === undefined ? undefined : pageOf(slug, to)
          if (page) draft.set(slug, page)
          else draft.delete(slug)
          kept.set(slug, page)
        }
      }
      const made = new DraftDiff({ pages: published }, files)
      for (const slug of slugs) made.set(slug, draft.get(slug))
      const json = await jsonOf(kept)
      t.equal(json, await jsonOf(made))
      t.equal(kept.size, made.size)
      const { pages } = JSON.parse(json)
      t.equal(pages.length, new Set([...draft.keys(), ...published.map(({ slug }) => slug)]).size)
    }),
    { numRuns: costlyRuns(30), examples: [[[all('two'), all('four'), all(undefined)]]] },
  )
})
