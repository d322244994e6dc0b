import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import * as v from 'valibot'
import { askOver, editor, textBlock } from './stack.ts'

const Row = v.looseObject({ slug: v.string(), status: v.string(), slugBefore: v.optional(v.string()) })
const Diff = v.object({ pages: v.array(Row) })

export interface Move {
  /** The addresses of the processes of the service: the first edits, the second reviews and publishes, the third reverts. */
  readonly services: readonly string[]
  readonly siteId: string
  /** The origin of the website. */
  readonly site: string
  readonly visitor: Page
  /** The publish token of the service, if it has one. */
  readonly token?: string | undefined
  /** The former address, at which there is no page yet. */
  readonly from?: string
}

/**
 * Renames and edits a page in one draft, which is reviewed, reverted, changed again and published: a visitor of the
 * former address is led to the page with 308.
 */
export async function movePage(
  t: Test,
  { services, siteId, site, visitor, token = '', from = '/moved' }: Move,
): Promise<void> {
  const client = (nth: number) =>
    editor((request) => askOver(services[nth % services.length] ?? '', request), { siteId, session: 'dev' })
  const [writer, reviewer, reverter] = [client(0), client(1), client(2)]
  const to = `${from}-on`
  const change = async (...ops: readonly object[]): Promise<void> => {
    const { status, text } = await writer.ops(ops)
    t.equal(status, 200, text)
  }
  const move = () =>
    change(
      { op: 'update_props', pageSlug: from, blockId: `b${from}`, patch: { body: 'After the move.' } },
      { op: 'rename_page', pageSlug: from, newPageSlug: to },
    )
  const differing = async () =>
    v
      .parse(Diff, (await reviewer.get('/publish/diff')).json())
      .pages.filter(({ status }) => status !== 'unchanged')
      .map(({ slug, slugBefore, status }) => [status, slugBefore, slug])
  const publish = async (): Promise<void> => {
    const { text } = await reviewer.send('/publish', {}, { 'x-publish-token': token })
    t.match(text, '"status":"ready"')
  }

  const page = { slug: from, title: 'Moved', blocks: [textBlock(`b${from}`, 'Before the move.')] }
  await change({ op: 'create_page', page })
  await publish()
  t.equal((await visitor.goto(site + from))?.status(), 200)
  await visitor.getByText('Before the move.').waitFor()

  await move()
  t.strictSame(await differing(), [['modified', from, to]], 'one page, neither new nor deleted')
  t.match((await reverter.send('/history/discard', { slug: to })).json(), { navigateToSlug: from })
  t.strictSame(await differing(), [])
  t.match(await writer.page(from), { blocks: [{ props: { body: 'Before the move.' } }] })

  await move()
  t.equal((await visitor.goto(site + from))?.status(), 200, 'not before it is published')
  await publish()
  const arrived = await visitor.goto(site + from)
  const former = await arrived?.request().redirectedFrom()?.response()
  t.strictSame([former?.status(), former?.url()], [308, site + from])
  t.strictSame([arrived?.status(), visitor.url()], [200, site + to])
  await visitor.getByText('After the move.').waitFor()
  t.strictSame(await differing(), [])
}
