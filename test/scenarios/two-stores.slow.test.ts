import t from 'tap'
import { applyDelta, type PageDelta } from '../../plugins/content/delta.ts'
import type { Page } from '../../plugins/content/page.ts'
import { changes, versionKey } from '../../plugins/draft/testing.ts'
import { draftKey } from '../../plugins/scope/port.ts'
import { store as storeRef } from '../../plugins/store/port.ts'
import { pageOf } from '../helpers/content.ts'
import { bodyOf, editor, startStack, temporaryFolder, versionIn, type Stack } from '../helpers/stack.ts'
import { emptyList } from '../helpers/plain.ts'

const id = { session: 'dev', siteId: 'acme' }
const each = 1_000

/** Increments the number on the page `steps` times; returns the recorded delta of each of its steps. */
async function increment(
  { inject, get: service }: Stack,
  steps: number,
): Promise<{ readonly deltas: ReadonlyMap<number, PageDelta>; readonly refused: number }> {
  const { get, send } = editor((request) => inject(request), id)
  const records = (await service(storeRef)).of(changes)
  const deltas = new Map<number, PageDelta>()
  let refused = 0
  while (deltas.size < steps) {
    const read = await get('/draft/pages', { slug: '/' })
    const count = Number(/"body":"(\d+)"/.exec(read.text)?.[1])
    const ops = [{ op: 'update_props', pageSlug: '/', blockId: 'b_1', patch: { body: String(count + 1) } }]
    const answer = await send('/ops', { ops }, { 'if-match': read.headers.get('etag') ?? '' })
    if (answer.status === 409) {
      refused++
      continue
    }
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
    const version = versionIn(answer)
    const record = await records.get(draftKey(id), versionKey(version))
    const delta = record?.body.pages[0]?.delta
    if (delta) deltas.set(version, delta)
  }
  return { deltas, refused }
}

t.test('two stores on one file: no update is lost, and the log is one sequence without gaps', async (t) => {
  const dataDir = temporaryFolder(t)
  const shared = { dataDir, plugins: [['store', { shared: true, synchronous: 'normal' }]] } as const
  const [one, two] = [await startStack(t, shared), await startStack(t, shared)]
  const [here, there] = [one, two].map(({ inject }) => editor((request) => inject(request), id))
  if (!here || !there) throw new Error('two stores are required')
  await here.bootstrap([pageOf('/', [{ id: 'b_1', type: 'RichText', props: { title: 'Count', body: '0' } }])])
  const start = await there.page('/')

  const [a, b] = await Promise.all([increment(one, each), increment(two, each)])
  t.ok(a.refused + b.refused > 0, `${a.refused + b.refused} conflicts`)
  const last = 1 + 2 * each
  for (const { page, version } of [here, there])
    t.same([await version(), (await page('/')).blocks[0]?.props['body']], [last, String(2 * each)])

  const deltas = [...a.deltas, ...b.deltas].toSorted(([first], [second]) => first - second)
  const versions = deltas.map(([version]) => version)
  const all = Array.from({ length: 2 * each }, (_, at) => at + 2)
  t.same(versions, all, 'every version belongs to one of them')
  let page: Page | undefined = start
  for (const [, delta] of deltas) page = applyDelta(page, delta, 'forward')
  t.strictSame(page, await there.page('/'), 'replaying the recorded deltas gives the stored page')

  await t.test('each sees the changes of the other at once', async (t) => {
    for (let round = 0; round < 10; round++) {
      const [writer, reader] = round % 2 === 0 ? [here, there] : [there, here]
      await writer.ops([
        { op: 'create_page', page: { slug: `/p${round}` } },
        { op: 'move_page', pageSlug: `/p${round}` },
      ])
      t.same(await reader.slugs(), ['/', ...Array.from({ length: round + 1 }, (_, at) => `/p${round - at}`)])
      await reader.retitle(`/p${round}`, `Seen ${round}`)
      t.same((await writer.page(`/p${round}`)).title, `Seen ${round}`)
    }
    t.match(await bodyOf(here.undo('/p9')), { notes: emptyList, canUndo: true })
    t.match(await bodyOf(there.undo('/p9')), { notes: emptyList, canUndo: false, navigateToSlug: '/' })
    t.match(await bodyOf(here.redo('/p9')), { navigateToSlug: '/p9' })
    t.same((await there.slugs())[1], '/p9')
    const answers = await Promise.all(
      [here, there].flatMap(({ retitle }) =>
        Array.from({ length: 5 }, () => retitle('/p9', 'Once', { 'idempotency-key': 'once' })),
      ),
    )
    const texts = new Set(answers.map(({ text }) => text))
    t.same([texts.size, answers[0]?.status], [1, 200], 'one key is one change, in whichever service')
  })
})
