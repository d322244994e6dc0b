import t from 'tap'
import { generateManifest } from '../../../plugins/content/manifest.ts'
import { builtinRegistry as registry } from '../../../plugins/content/registry.ts'
import { readManifest } from '../../../plugins/draft/port.ts'
import { forms } from '../../../plugins/chat/rules/forms.ts'
import { kayakPages } from '../../fixtures/chat/site.ts'
import {
  answerTo,
  examplesOf,
  inputFor,
  notationOf,
  resultOf,
  planByRules,
} from '../../helpers/chat-rules.ts'
import { emptyList } from '../../helpers/plain.ts'

t.test('every form understands its examples', async (t) => {
  for (const form of forms) {
    const examples = examplesOf(form)
    t.equal(examples.length, form.examples.split('\n').length, form.pattern)
    for (const { at, message, result } of examples)
      t.equal(resultOf(at, message), result, `${form.pattern}: ${message}`)
  }
})

t.test('what no form understands completely changes nothing', async (t) => {
  const messages = [
    'add a FAQ about winter tours',
    'add a pop-up with a newsletter form',
    'make the headline shorter',
    'translate this page to German',
    'if the hero is blue, remove it',
    'I removed the hero yesterday',
    'change the headline to "Fast" and make it pop',
    'change the headline to something catchier',
    'Change the headline to "A" unless it is Monday',
    'never remove the hero',
    'Should the hero heading be "Paddle on"?',
    'remove the hero?',
    'Ben, delete the quote',
    'remove everything except the hero',
    'Delete the hero, not the CTA',
    'change the headline to "A" or "B"',
    'remove the hero and the weather',
    'set the alt text of the hero to "Add a sunset"',
  ]
  for (const message of messages) t.match(resultOf('/', message), /^(?:UNSUPPORTED|INFO)$/, message)
})

t.test('what may be meant in two ways is asked', async (t) => {
  const messages = [
    'change the CTA to "Book now"',
    'set the headline to kayak heaven',
    'change the text to ""',
    'create a page called courses with no content',
    'rename the first feature to guides we trust',
    'add a feature called Guides at the top',
    'delete the banner and rename it to "A"',
    'change the image to /about',
    'set the columns to 7',
  ]
  for (const message of messages) t.match(resultOf('/', message), /^(?:CLARIFY|UNSUPPORTED)$/, message)
  t.equal(resultOf('/ b_feat_1', 'remove the rich text and rename it to "A"'), 'CLARIFY')
})

t.test(
  'a text without quotes is applied if it begins with a capital or a digit and ends the message',
  async (t) => {
    const table = [
      ['Change the headline to Kayak heaven by Friday', 'set b_hero_1 {heading: "Kayak heaven by Friday"}'],
      ['rename the first feature to Guides we trust', 'item b_feat_1.features[0] {title: "Guides we trust"}'],
      ['set the eyebrow to 25 years and counting', 'set b_hero_1 {eyebrow: "25 years and counting"}'],
      ['set the eyebrow to More than boats, please', 'set b_hero_1 {eyebrow: "More than boats"}'],
      ['set the eyebrow to more than boats', 'UNSUPPORTED'],
      ['set the eyebrow to Fast and remove the testimonials', 'CLARIFY'],
      ['set the eyebrow to Fast and the subheading to Slow', 'CLARIFY'],
      [
        'create a page called Boats and bikes',
        '+page /boats-and-bikes "Boats and bikes" [Hero {heading: "Boats and bikes"}]',
      ],
    ] as const
    for (const [message, result] of table) t.equal(resultOf('/', message), result, message)
  },
)

t.test('an address leaves the title of a page, and a title its address', async (t) => {
  for (const message of [
    'set the slug of this page to /team',
    'rename this page to /team',
    'page address: /team',
  ])
    t.equal(resultOf('/about', message), 'ren /about to /team titled "About us"', message)
  t.equal(resultOf('/about', 'set the title of this page to "Team"'), 'ren /about titled "Team"')
})

t.test('words that name a section and a button are asked, and the answer decides', async (t) => {
  for (const verb of ['remove', 'delete']) {
    const asked = planByRules(inputFor('/', `${verb} the call to action`))
    const { suggestions = [] } = asked.kind === 'question' ? asked : {}
    t.equal(suggestions.length, 3, verb)
    const results = suggestions.map((choice) =>
      notationOf(answerTo('/', `${verb} the call to action`, choice)),
    )
    t.strictSame(results.toSorted(), ['-block b_cta_1', 'CLARIFY', 'CLARIFY'].toSorted(), verb)
  }
  const asked = planByRules(inputFor('/', 'change the call to action to "Go"'))
  const { suggestions = [] } = asked.kind === 'question' ? asked : {}
  const results = suggestions.map((choice) =>
    notationOf(answerTo('/', 'change the call to action to "Go"', choice)),
  )
  t.strictSame(results.toSorted(), [
    'set b_cta_1 {ctaText: "Go"}',
    'set b_cta_1 {title: "Go"}',
    'set b_hero_1 {ctaText: "Go"}',
  ])
})

t.test('the question for a text that is missing is answered by the text', async (t) => {
  const answered = (asked: string) => notationOf(answerTo('/', asked, '"Hop on"'))
  t.equal(answered('change the headline'), 'set b_hero_1 {heading: "Hop on"}')
  t.equal(answered('clear the headline'), 'set b_hero_1 {heading: "Hop on"}', 'it cannot be empty')
  t.equal(answered('replace "Paddle the fjord" with ""'), 'set b_hero_1 {heading: "Hop on"}')
  t.equal(answered('change the headline to ""'), 'set b_hero_1 {heading: "Hop on"}')
})

t.test('a text is replaced in the cells of a table and in lists of texts', async (t) => {
  const [home] = kayakPages
  const props = {
    headers: ['Boat', 'Price'],
    rows: [
      ['Single', '20 EUR'],
      ['Double boat', '30 EUR'],
    ],
  }
  const pages = home ? [{ ...home, blocks: [{ id: 'b_table', type: 'Table', props }] }] : []
  const said = (message: string) =>
    notationOf(planByRules({ ...inputFor('/', message), draft: { version: 1, pages, config: {} } }))
  t.equal(
    said('replace "EUR" with "NOK"'),
    'set b_table {rows: {0: {0: "Single", 1: "20 NOK"}, 1: {0: "Double boat", 1: "30 NOK"}}}',
  )
  t.equal(said('change "Boat" to "Kayak" everywhere'), 'set b_table {headers: {0: "Kayak", 1: "Price"}}')
  t.equal(said('replace "USD" with "NOK"'), 'CLARIFY')
})

t.test('a refused message with no sentence near to it is offered none', async (t) => {
  const messages = [
    "don't remove the hero",
    'if the hero is blue, remove it',
    'translate this page to German',
    'I do not like the CTA',
    'Could you cut "the fjord" from the hero heading?',
    'On the about us page, change the headline to "Us"',
    'On the about us page, hide the quote',
    'Make the headline say "Hello" and the subheading "Paddle on"',
  ]
  for (const message of messages)
    t.notMatch(planByRules(inputFor('/', message)), { hint: /nearest/ }, message)
})

t.test('a message in another language is answered in that language, completely', async (t) => {
  const table = [
    ['Mach die Überschrift kürzer', /^Ohne Sprachmodell .* ANTHROPIC_API_KEY/],
    ['Setze die Überschrift auf "Hallo"', 'Das kann ich auf Englisch: Change the headline to "Hallo".'],
    ['Bitte lösche die Stimmen der Kunden', /^Ohne Sprachmodell/],
    ['Was steht da jetzt?', /^Ohne Sprachmodell/],
    ['Was ist neu?', /^Ohne Sprachmodell/],
    ['Wurden die Texte schon geprüft?', /^Ohne Sprachmodell/],
    ['Seite umbenennen', /^Ohne Sprachmodell/],
    ['Text kürzen', /^Ohne Sprachmodell/],
    ['Bild tauschen', /^Ohne Sprachmodell/],
    ['Brot kostet jetzt 70 Euro', /^Ohne Sprachmodell/],
    ['Erstes und zweites Foto vertauschen', /^Ohne Sprachmodell/],
    ['Cambia el título a "Hola"', /^Sin un modelo/],
    ['Borra el hero', 'Puedo hacerlo en inglés: Remove the hero.'],
    ['Supprimez la galerie', /^Sans modèle/],
    ['Ouvre la page', /^Sans modèle/],
    ['Supprime le bouton de la page', /^Sans modèle/],
    ['Aggiungi una pagina di contatto', /^Senza un modello/],
    ['Mude o título da página', /^Sem um modelo/],
    ['Verander de kop van deze pagina', /^Zonder taalmodel/],
    ['Zmień nagłówek na stronie', /^Bez modelu/],
    ['Ändra rubriken på sidan', /^Utan språkmodell/],
    ['見出しを変更してください', /^言語モデル/],
    ['Измени заголовок', /^Без языковой модели/],
    ['Άλλαξε τον τίτλο', /^Without a language model/],
    ['Smaž úvodní sekci', /^Bez jazykového modelu/],
    ['Změň nadpis na "Ahoj"', /^Bez jazykového modelu/],
    ['Kuinka monta sivua minulla on?', /^Ilman kielimallia/],
    ['Muuta otsikko muotoon "Hei"', /^Ilman kielimallia/],
    ['Başlığı "Merhaba" olarak değiştir', /^Dil modeli/],
    ['Bu bölümü sil', /^Dil modeli/],
    ['Töröld a szalagcímet', /^Nyelvi modell/],
    ['Hány oldalam van?', /^Nyelvi modell/],
    ['Schimbă titlul în "Salut"', /^Fără un model/],
    ['Sterge pagina de contact', /^Fără un model/],
    // One word
    ['löschen', /^Ohne Sprachmodell/],
    ['supprimer', /^Sans modèle/],
    ['effacer', /^Sans modèle/],
    ['rehacer', /^Sin un modelo/],
    ['annulla', /^Senza un modello/],
    ['desfazer', /^Sem um modelo/],
    ['verwijderen', /^Zonder taalmodel/],
    ['usuń', /^Bez modelu językowego/],
    ['ångra', /^Utan språkmodell/],
    ['fortryd', /^Uden en sprogmodel/],
    ['smazat', /^Bez jazykového modelu/],
    ['poista', /^Ilman kielimallia/],
    ['sil', /^Dil modeli/],
    ['törlés', /^Nyelvi modell/],
    ['șterge', /^Fără un model/],
    // Languages without a sentence of their own
    ['Hapus bagian ini', /^Without a language model I only understand commands in English/],
    ['Pakeisk antraštę', /^Without a language model I only understand commands in English/],
    ['Xóa phần này', /^Without a language model I only understand commands in English/],
    ['제목을 바꿔 주세요', /^Without a language model I only understand commands in English/],
  ] as const
  for (const [message, hint] of table) {
    const outcome = planByRules(inputFor('/', message))
    t.match(outcome, { kind: 'unsupported', hint, isHintAll: true }, message)
  }
  for (const message of [
    'make the die bigger in the text',
    'do me a favour',
    'No, not that',
    'the hat was nice',
    'copy the text of the banner into the hero',
    'pause the banner',
    'clear the hero',
    'brighter',
    'add a van to the text',
  ])
    t.notMatch(planByRules(inputFor('/', message)), { isHintAll: true }, message)
})

t.test('a type of section that the site does not declare is answered as such', async (t) => {
  t.match(planByRules(inputFor('/', 'Add a countdown section')), {
    question: /declares no section of the kind “countdown”/,
  })
  const [home] = kayakPages
  const strip = { id: 'b_promo_1', type: 'PromoStrip', props: { claim: 'Now' } }
  const pages = home ? [{ ...home, blocks: [...home.blocks, strip] }] : []
  const draft = { version: 1, pages, config: {} }
  for (const message of ['set the promo strip claim to "Soon"', 'remove the PromoStrip'])
    t.match(
      planByRules({ ...inputFor('/', message), draft }),
      { hint: /does not declare the block type PromoStrip/ },
      message,
    )
})

t.test('questions about the site are answered', async (t) => {
  const asked = (message: string, at = '/') => planByRules(inputFor(at, message))
  t.match(asked('What sections can I add?'), { kind: 'answer', status: 'info', findings: [/^Hero: /] })
  t.match(asked('list all pages'), {
    findings: [
      '/ “Home” (Hero, Feature grid, Rich text, Rich text, Testimonials, Call to Action)',
      /^\/rentals/,
      /^\/about/,
    ],
  })
  for (const message of ['How many pages do I have?', 'Which pages are there?', 'what is in the menu?'])
    t.match(asked(message), { summary: 'The site has 3 pages.' }, message)
  t.match(asked('How many questions are on the rentals page?'), {
    summary: '“Rentals” has 3 questions.',
    findings: [/“Can I cancel\?”/],
  })
  t.match(asked('Which sections are on this page?'), { summary: '“Home” has 6 sections.' })
  t.match(asked('How many questions are there?'), { summary: '“Home” has no questions.' })
  t.equal(asked('How many sheep are there?').kind, 'unsupported')
  t.match(asked('what does the headline say?'), { summary: /says “Paddle the fjord”\.$/ })
  t.match(asked('Open the about us page'), { summary: '“About us” is at /about.', opens: ['/about'] })
  t.match(asked('Show me the page', '/about'), { opens: ['/about'] })
  t.match(asked('where is the contact page'), { summary: /^There is no such page\./, findings: [/^\/ /] })
  for (const message of ['undo', 'Go back to how it was', 'I want the old headline back'])
    t.match(asked(message, '/about'), { undoes: '/about', suggestions: emptyList }, message)
  t.match(asked('make it live'), { summary: /Publishing/ })
  t.match(asked('help'), { summary: /ANTHROPIC_API_KEY or OPENAI_MODEL/ })
  t.match(asked('undo that'), { summary: /Undo and redo/ })
  t.match(asked('publish the site'), { summary: /Publishing/ })
  t.match(asked("don't remove the hero"), { summary: 'Nothing was changed.' })
  t.match(asked('What can I change here?'), { summary: /Home/, findings: [/^Hero: Heading, /] })
  t.match(asked('What can I change?', '/rentals b_cards_r.cards[0]'), {
    findings: ['Title', 'Description', 'Button text', 'Button link', /./, /./],
  })
})

t.test('the kind of a new row is asked for', async (t) => {
  const [home] = kayakPages
  const columns = { id: 'b_columns_1', type: 'TwoColumn', props: { left: [], right: [] } }
  const draft = {
    version: 1,
    pages: home ? [{ ...home, blocks: [...home.blocks, columns] }] : [],
    config: {},
  }
  const asked = planByRules(inputFor('/', 'Add a left', { draft }))
  t.match(asked, { kind: 'question', question: /^Which kind: heading, / })
  const { open, suggestions = [] } = asked.kind === 'question' ? asked : {}
  t.ok(open && suggestions.includes('cta'), 'each kind is a choice')
  const outcome = planByRules(inputFor('/', 'cta', { draft, ...(open && { open }) }))
  const ops = outcome.kind === 'plan' ? outcome.plan.ops : []
  t.strictSame(ops, [
    { op: 'add_item', pageSlug: '/', blockId: 'b_columns_1', listKey: 'left', item: { type: 'cta' } },
  ])
})

t.test('a question is answered by a choice, a position, a block, a quoted text or yes', async (t) => {
  const answered = (asked: string, answer: string, at = '/') => notationOf(answerTo(at, asked, answer))
  t.equal(answered('remove the rich text', 'the second one'), '-block b_text_2')
  t.equal(answered('remove the rich text', 'Rich text “Our story”'), '-block b_text_1')
  t.equal(answered('change the button text to "Go"', 'the hero'), 'set b_hero_1 {ctaText: "Go"}')
  t.equal(answered('change the headline', '"Go"'), 'set b_hero_1 {heading: "Go"}')
  t.equal(answered('set the headline to kayak heaven', 'yes'), 'set b_hero_1 {heading: "kayak heaven"}')
  t.equal(answered('move the CTA', 'to the top'), 'mv b_cta_1 front')
  t.equal(answered('create a new page', '"Jobs"'), '+page /jobs "Jobs" [Hero {heading: "Jobs"}]')
  t.equal(
    answered('remove the rich text', 'move the CTA to the top'),
    'mv b_cta_1 front',
    'a complete message is not an answer',
  )
  t.equal(answered('remove the rich text', 'the gallery'), 'UNSUPPORTED')
})

t.test('each choice of a question is offered as a short text that answers it', async (t) => {
  const [home] = kayakPages
  const title = 'The same long title of two texts that do not fit on a button'
  const blocks = ['a', 'b'].map((id) => ({ id, type: 'RichText', props: { title, body: 'x' } }))
  const input = {
    ...inputFor('/', 'remove the rich text'),
    draft: { version: 1, pages: home ? [{ ...home, blocks }] : [], config: {} },
  }
  const asked = planByRules(input)
  const { open, suggestions } = asked.kind === 'question' ? asked : {}
  t.strictSame(suggestions, [
    '1. Rich text “The same long title of tw…',
    '2. Rich text “The same long title of tw…',
  ])
  for (const [at, message] of (suggestions ?? []).entries()) {
    t.ok(message.length <= 40)
    t.equal(notationOf(planByRules({ ...input, message, open })), `-block ${blocks[at]?.id}`)
  }
})

t.test('suggestions are understood', async (t) => {
  const inputs = kayakPages.flatMap(({ slug }) =>
    ['help', 'list pages', 'set the hero heading to "Fresh"', 'x y z'].map((message) =>
      inputFor(slug, message),
    ),
  )
  for (const input of inputs) {
    const outcome = planByRules(input)
    const { suggestions = [] } = outcome.kind === 'plan' ? outcome.plan : { suggestions: [], ...outcome }
    const isFew = suggestions.length >= 2 && suggestions.length <= 4
    t.ok(isFew, `${input.selection.slug}: ${input.message}`)
    for (const suggestion of suggestions) {
      t.ok(suggestion.length <= 40, suggestion)
      const clicked = planByRules({ ...input, message: suggestion })
      const open = clicked.kind === 'question' ? clicked.open : undefined
      const planned = open ? planByRules({ ...input, message: '"Other words"', open }) : clicked
      t.equal(planned.kind, 'plan', suggestion)
    }
  }
  const locked = planByRules({ ...inputFor('/', 'help'), allowStructuralEdits: false })
  t.notMatch(locked, { suggestions: [/^(?:Move|Add|Create)/] })
  t.match(planByRules(inputFor('/', 'delete the rentals page')), { plan: { suggestions: emptyList } })
})

t.test('a site is spoken of in the names of its manifest', async (t) => {
  const { version, blocks } = generateManifest(registry)
  const promo = {
    type: 'PromoStrip',
    displayName: 'Promo strip',
    propsSchema: {
      type: 'object',
      properties: { claim: { type: 'string' }, tone: { enum: ['calm', 'loud'] } },
      required: ['claim'],
    },
    fields: {
      claim: { kind: 'text', label: 'Claim', required: true },
      tone: { kind: 'enum', label: 'Tone', options: ['calm', 'loud'] },
    },
  }
  const manifest = readManifest({ version, blocks: [...blocks, promo] }, registry)
  const [home] = kayakPages
  const strip = { id: 'b_promo_1', type: 'PromoStrip', props: { claim: 'Now', tone: 'calm' } }
  const pages = home ? [{ ...home, blocks: [...home.blocks, strip] }] : []
  const said = (message: string) =>
    notationOf(planByRules({ ...inputFor('/', message), manifest, draft: { version: 1, pages, config: {} } }))
  t.equal(said('set the promo strip claim to "Soon"'), 'set b_promo_1 {claim: "Soon"}')
  t.equal(said('change the tone to loud'), 'set b_promo_1 {tone: "loud"}')
  t.equal(said('change the tone to shrill'), 'CLARIFY')
  t.equal(said('move the promo strip to the top'), 'mv b_promo_1 front')
})

t.test('a message costs no more than its length and the draft, whatever it says', async (t) => {
  const hostile = [
    '"'.repeat(2_000),
    'and set '.repeat(240),
    ',;.'.repeat(600),
    'of the '.repeat(280),
    `set ${'the hero '.repeat(200)}to "x"`,
    'remove '.repeat(280),
    '](('.repeat(600),
    'add a card with title "A" and '.repeat(60),
    `add a card called ${'with '.repeat(200)}${'by '.repeat(300)}`,
    '\n'.repeat(1_999),
    '\u{1f6a3}'.repeat(1_000),
  ]
  for (const message of hostile) {
    t.not(planByRules(inputFor('/', message)).kind, 'plan', message.slice(0, 40))
  }
  t.equal(resultOf('/', `set the headline to "${'x'.repeat(2_000)}"`), 'UNSUPPORTED')
  const text = 'x '.repeat(20_000)
  const withBody = (body: string) =>
    kayakPages.map((page) => ({
      ...page,
      blocks: page.blocks.map((block) => ({ ...block, props: { ...block.props, body } })),
    }))
  const draft = { version: 1, pages: withBody(text), config: {} }
  const larger = { ...draft, pages: withBody('x '.repeat(450_000)) }
  const kindOf = (by: string, on = draft) =>
    planByRules({ ...inputFor('/', `replace "x" with "${by}"`), draft: on }).kind
  t.equal(kindOf('y'.repeat(1_500)), 'question')
  t.equal(kindOf('y'), 'plan')
  t.equal(kindOf('y', larger), 'question')
})

t.test('a question lists at most ten choices', async (t) => {
  const [home] = kayakPages
  const blocks = Array.from({ length: 30 }, (_, at) => ({
    id: `b_text_${at}`,
    type: 'RichText',
    props: { title: `Text ${at}`, body: 'x' },
  }))
  const outcome = planByRules({
    ...inputFor('/', 'remove the rich text'),
    draft: { version: 1, pages: home ? [{ ...home, blocks }] : [], config: {} },
  })
  t.match(outcome, { kind: 'question', question: /“Text 9” and 20 more\?$/ })
  t.equal('suggestions' in outcome && outcome.suggestions.length, 10)
})

t.test('a plan has at most as many operations as the deployment allows', async (t) => {
  const input = inputFor('/rentals', 'Replace "Rent" with "Hire"')
  t.match(planByRules({ ...input, maxOperations: 3 }), { kind: 'question', question: /more than 3 changes/ })
  t.match(planByRules({ ...input, maxOperations: 4 }), { kind: 'plan' })
})

t.test('on a website of files a new page is a document, and a renamed one stays in its file', async (t) => {
  const pages = kayakPages.map((page) => ({
    ...page,
    slug: page.slug === '/' ? '/~content/index.md' : `/~content${page.slug}.md`,
  }))
  const planned = (message: string) =>
    planByRules(inputFor('/~content/about.md', message, { draft: { version: 3, pages, config: {} } }))
  t.match(planned('Create a page called "News"'), {
    plan: { ops: [{ op: 'create_page', page: { slug: '/~content/news.md', title: 'News' } }] },
  })
  t.match(planned('rename this page to "Crew"'), {
    plan: { ops: [{ op: 'rename_page', newTitle: 'Crew', newPageSlug: undefined }] },
  })
})
