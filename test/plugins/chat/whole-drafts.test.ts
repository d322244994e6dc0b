import t from 'tap'
import { use } from '../../../kernel/index.ts'
import chatVariations from '../../../plugins/chat/variations/index.ts'
import {
  chatClient,
  openChat,
  planOf,
  resultOf,
  scriptedPlanner,
  setBody,
  startPages,
  withPlanner,
  type Script,
} from '../../helpers/chat.ts'
import { pageOf } from '../../helpers/content.ts'
import { refused, textBlock } from '../../helpers/stack.ts'

const bytes = startPages.reduce((sum, page) => sum + Buffer.byteLength(JSON.stringify(page)), 0)
const script: Script = { Shorten: planOf(setBody('Short')), Suggest: planOf(setBody('Held')) }

t.test(
  'a draft that is too large for a message is refused on every route that reads it as a whole',
  async (t) => {
    const { ask, say, send, ops, draftState } = await openChat(t, {
      script,
      plugins: [use(chatVariations)],
      chat: { maxDraftBytes: bytes + 300 },
    })
    const waiting = resultOf(await say('Suggest', { executionMode: 'plan_only' }))
    t.equal(waiting.status, 'plan_ready')
    await ops([{ op: 'create_page', page: pageOf('/more', [textBlock('b_8', 'x'.repeat(300))]) }])
    const before = await draftState()
    const answers = [
      say('Shorten'),
      send('/chat/prefetch', { slug: '/', message: 'Shorten' }),
      send('/chat/variations', { slug: '/', message: 'Vary', activeBlockId: 'b_1' }),
      ask({ url: `/chat/plans?siteId=acme&session=dev` }),
      ask({ url: `/chat/plans/${waiting.pendingPlanId}?siteId=acme&session=dev` }),
    ]
    for (const answer of await Promise.all(answers))
      t.match(refused(answer), { status: 413, code: 'draft_too_large', error: /maxDraftBytes/ })
    t.equal(await draftState(), before)
  },
)

t.test('messages to other drafts wait while the drafts in use reach the memory limit', async (t) => {
  const { promise: held, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let calls = 0
  const slow = scriptedPlanner(
    {},
    {
      async plan() {
        calls += 1
        if (calls === 2) begin()
        await held
        return planOf(setBody('Slow'))
      },
    },
  )
  const { ask } = await openChat(t, {
    script: { Shorten: planOf(setBody('Short')) },
    plugins: [withPlanner(slow)],
    chat: { maxDraftBytes: Math.ceil(bytes * 1.2) },
  })
  const [first, second, third] = ['one', 'two', 'three'].map((session) =>
    chatClient(ask, { siteId: 'acme', session }),
  )
  for (const client of [first, second, third]) await client?.bootstrap(startPages)
  const slowAnswers = [first?.say('Think'), first?.say('Think again'), second?.say('Think')]
  await Promise.race([begun, Promise.all(slowAnswers)])
  const answer = await third?.say('Shorten')
  t.match(answer && refused(answer), { status: 429, code: 'too_many_large_drafts' })
  t.equal(answer?.headers.get('retry-after'), '60')
  end()
  for (const each of await Promise.all(slowAnswers)) t.equal(each?.status, 200)
  t.equal((await third?.say('Shorten'))?.status, 200)
})
