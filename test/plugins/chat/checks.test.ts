import t from 'tap'
import { use } from '../../../kernel/index.ts'
import chat from '../../../plugins/chat/index.ts'
import chatRules from '../../../plugins/chat-rules/index.ts'
import { goodPage, hero, openChecks, text } from '../../helpers/checks.ts'
import { resultOf } from '../../helpers/chat.ts'
import { openDrafts } from '../../helpers/stack.ts'

const broken = [
  goodPage('/', [hero('b_1', { imageAlt: 'Image of a wheel', ctaHref: '/nowhere-near' }), text('b_2', 'Words.', { headingLevel: 'h1' })]),
  goodPage('/about', undefined, { title: 'About', meta: {} }),
]

const openChat = async (t: Parameters<typeof openChecks>[0], pages = broken) => {
  const opened = await openChecks(t, pages, { plugins: [use(chat, {}), use(chatRules)] })
  const say = async (message: string, more: object = {}) => resultOf(await opened.send('/chat', { slug: '/', message, ...more }))
  return { ...opened, say }
}

t.test('questions about problems of a page are answered without a model', async (t) => {
  const { say, version } = await openChat(t)
  const before = await version()
  for (const message of ['What is wrong with this page?', "what's wrong here", 'List all errors']) {
    const answer = await say(message)
    t.match(answer, { status: 'info', summary: /1 error, 1 warning.*“A page about bicycles at \/”/ }, message)
    t.match(answer.changes, ['Hero ctaHref: The link leads to a missing page.'], message)
  }
  const siteReport = await say('What is wrong with the site?')
  t.match(siteReport, { summary: /1 error, 3 warnings and \d hints on the site/ })
  t.match(siteReport.changes[0], /^\/ Hero ctaHref: /)
  t.equal(await version(), before)
})

t.test('automatic fixes are applied as one change', async (t) => {
  const { say, version, undo, page, findings } = await openChat(t)
  const before = await version()
  const { suggestions } = await say('What is wrong with this page?')
  t.equal(suggestions?.[0], 'Fix the problems of this page')
  t.match(await say('Fix the problems of this page'), { status: 'applied', summary: /2 changes|2 findings/, previewVersion: before + 1 })
  t.match(await page('/'), { blocks: [{ props: { imageAlt: 'A wheel' } }, { props: { headingLevel: 'h2' } }] })
  t.strictSame((await findings()).filter(({ slug, fix }) => slug === '/' && fix?.kind === 'auto'), [])
  t.match(await say('Fix the problems of this page'), { status: 'info', summary: /without a text from you/ })
  await undo('/')
  t.match(await page('/'), { blocks: [{ props: { imageAlt: 'Image of a wheel' } }, {}] })
})

t.test('a draft without problems is reported as such', async (t) => {
  const { say } = await openChat(t, [goodPage('/', undefined, { title: 'Home page' })])
  t.match(await say('What is wrong with this page?'), { summary: 'The checks found no problems on the page “Home page”.', changes: [] })
})

t.test('without the checks plugin the answer says that checks are turned off', async (t) => {
  const { send, bootstrap } = openDrafts(t, { plugins: [use(chat, {}), use(chatRules)] })
  await bootstrap(broken)
  t.match(resultOf(await send('/chat', { slug: '/', message: 'What is wrong with this page?' })), { status: 'info', summary: /checks are turned off/ })
})
