/** Malformed and malicious messages, to the service without a model. */
import t, { type Test } from 'tap'
import { boatAbout, boatHero, richText } from '../../helpers/boats.ts'
import { pageOf } from '../../helpers/content.ts'
import { bodyOf, editor, startStack } from '../../helpers/stack.ts'

const startPages = [
  pageOf('/', [boatHero({ ctaHref: '/about' }), richText('b_text', 'About', 'We lend boats.')]),
  boatAbout,
  pageOf('/old', [], { title: 'Old' }),
]

/** The complete service with a draft. */
async function openService(t: Test) {
  const edit = editor((await startStack(t)).ask)
  await edit.bootstrap(startPages)
  /** The pages, without their update times. */
  const content = async () =>
    (await Promise.all((await edit.slugs()).map((slug) => edit.page(slug)))).map((page) => ({
      ...page,
      updatedAt: '',
    }))
  return {
    edit,
    content,
    async say(message: string) {
      const { status, json } = await edit.send('/chat', { slug: '/', message })
      return { ...Object(json()), http: status }
    },
    /** All state that a message without effect must not change. */
    snapshot: async () => [
      await content(),
      await edit.version(),
      await bodyOf(edit.get('/history/log')),
      await bodyOf(edit.get('/history/status', { slug: '/' })),
    ],
  }
}

const unsupported = { http: 200, status: 'needs_clarification', summary: /ANTHROPIC_API_KEY/, changes: [] }
const asked = { http: 200, status: 'needs_clarification', summary: /\?/, changes: [] }
const emptyMessage = { http: 400, reason: /^message is required/ }
const kilobyte = 1024

/** Messages, and their outcome. */
const messages: readonly (readonly [what: string, message: string, expected: object])[] = [
  ['nothing', '', emptyMessage],
  ['blanks', ' \n\t\u00a0', emptyMessage],
  ['500 KB of a command', 'remove the hero and '.repeat(25 * kilobyte), unsupported],
  ['500 KB of emoji', '🛶'.repeat(125 * kilobyte), unsupported],
  [
    'more than 512 KB',
    'x'.repeat(513 * kilobyte),
    { http: 413, code: 'body_too_large', reason: /larger than the 524288 bytes/ },
  ],
  ['control characters around a command', '\u0000remove the hero\u0007', unsupported],
  ['a command with terminal escape codes', '\u001b[31mremove the hero\u001b[0m', unsupported],
  ['a command with a right-to-left override', '\u202eoreh eht evomer', unsupported],
  ['a command with a zero-width space', 'remove\u200b the hero', unsupported],
  ['right-to-left text', 'احذف القسم الأول من الصفحة', unsupported],
  ['a lone surrogate', 'Change the headline to "\ud83d"', { http: 400, reason: /surrogate pair/ }],
  ['an unclosed quote', 'Change the headline to "Never closed', unsupported],
  ['HTML around a command', '<b>remove the hero</b>', unsupported],
  ['a command in a comment', 'Change the headline <!-- and remove the hero -->', unsupported],
  ['a script', '<script>fetch("/history/undo")</script>', unsupported],
  ['a command in a code block', '```\nremove the hero\n```', unsupported],
  ['a command as a link', '[remove the hero](/about)', unsupported],
  ['a command as a table', '| remove | the hero |\n|---|---|', unsupported],
  ['a link that runs code', 'Set the hero button link to "javascript:alert(1)"', asked],
  ['a field of Object.prototype', 'Change the __proto__ to "x"', unsupported],
  ['a command as a question', 'Remove the hero?', unsupported],
  // The last one: what follows a question is read as its answer.
  ['empty quotes', 'Change the headline to ""', asked],
]

t.test('empty, oversized and obfuscated messages change nothing', async (t) => {
  const { say, snapshot } = await openService(t)
  const before = await snapshot()
  for (const [what, message, expected] of messages) t.match(await say(message), expected, what)
  t.same(await snapshot(), before)
})

t.test('quoted text is set verbatim, and nothing else happens', async (t) => {
  const { say, content, edit } = await openService(t)
  const before = await content()
  const texts = [
    '<img src=x onerror=alert(1)> & <b>more</b>',
    '**Bold** [link](javascript:alert(1))',
    'a\u0000b\u001b[31mc',
    '\u202eesrever\u202c עברית',
    '🛶👩‍👩‍👧🏽',
    'remove the hero and the page Old',
    '\ndata: {type: final}\n\n',
  ]
  for (const text of texts) {
    t.match(
      await say(`Change the headline to "${text}"`),
      { http: 200, status: 'applied', debug: { opTypes: ['update_props'], opCount: 1 } },
      JSON.stringify(text),
    )
    t.equal((await edit.page('/')).blocks[0]?.props['heading'], text)
    await edit.undo('/')
  }
  t.same(await content(), before)
})
