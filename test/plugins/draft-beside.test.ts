import t from 'tap'
import * as v from 'valibot'
import { defineRefusal, Refusal } from '../../kernel/index.ts'
import { mountForTest } from '../../kernel/testing.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import { drafts as draftsRef, type Companion, type CommitRequest } from '../../plugins/draft/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { defineCollection } from '../../plugins/store/port.ts'
import { pageOf } from '../helpers/content.ts'
import { draftsInMemory, editor } from '../helpers/stack.ts'

const tickets = defineCollection('test_tickets', v.object({ uses: v.number() }), { columns: {} })
const noTicket = defineRefusal({ status: 409, code: 'no_ticket', reason: () => 'The ticket is used.' })

/** Consumes a ticket in the transaction of the change. */
const spend: Companion = async (tx) => {
  const ticket = await tx.of(tickets).get('acme', 'one')
  if (!ticket) throw noTicket()
  return () => tx.of(tickets).remove('acme', 'one')
}

const at = { siteId: 'acme', session: 'dev' }

async function open(t: Parameters<typeof mountForTest>[0]) {
  const store = createMemoryStore()
  const mounted = mountForTest(t, draftsInMemory({ store }))
  const client = editor(mounted.inject)
  await client.bootstrap([pageOf('/'), pageOf('/about')])
  await store.transaction((tx) => tx.of(tickets).put('acme', 'one', { body: { uses: 1 }, columns: {} }))
  const drafts = await mounted.get(draftsRef)
  const retitle = (slug: string, newTitle: string, more: Partial<CommitRequest> = {}): Promise<string> => {
    const parsed = parseOperations([{ op: 'rename_page', pageSlug: slug, newTitle }])
    if (!parsed.ok) throw new Error(parsed.message)
    const edit = { kind: 'operations', ops: parsed.ops, source: 'planner', currentSlug: slug } as const
    const given = { id: at, edit, actor: { kind: 'person' }, channel: 'chat', also: spend } as const
    return drafts
      .commit(
        { ...given, ...more },
        ({ previewVersion, ops = [] }) => `${previewVersion}: ${ops.map(({ op }) => op).join()}`,
      )
      .catch((error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error)))
  }
  const hasTicket = async () => (await store.of(tickets).get('acme', 'one')) !== undefined
  return { ...client, retitle, hasTicket }
}

t.test('of several concurrent changes, only one consumes the companion record', async (t) => {
  const { retitle, hasTicket, page, version } = await open(t)
  const answers = await Promise.all(['One', 'Two', 'Three'].map((title) => retitle('/about', title)))
  t.same(answers, ['2: rename_page', 'no_ticket', 'no_ticket'])
  t.equal(await hasTicket(), false)
  t.match([await page('/about'), await version()], [{ title: 'One' }, 2])
})

t.test('a refused change does not write its companion record', async (t) => {
  for (const [code, slug, title, more] of [
    ['not_found', '/gone', 'New', {}],
    ['no_effective_change', '/about', 'about', {}],
    ['version_mismatch', '/about', 'New', { expect: 7 }],
  ] as const) {
    const { retitle, hasTicket, version } = await open(t)
    const both = await Promise.all([retitle('/', 'Kept', { also: undefined }), retitle(slug, title, more)])
    t.same([...both, await hasTicket(), await version()], ['2: rename_page', code, true, 2])
  }
})

t.test('a change with a stored response is not applied again', async (t) => {
  const { retitle, hasTicket } = await open(t)
  const idempotency = { key: 'k', fingerprint: 'f' }
  t.equal(await retitle('/about', 'One', { idempotency }), '2: rename_page')
  t.equal(await retitle('/about', 'One', { idempotency }), '2: rename_page')
  t.equal(await hasTicket(), false)
})
