import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { eventually, inBrowser, openStudio, says } from './browser.ts'
import { everyKind, serveKinds, type Props, type KindsSite } from './kinds-site.ts'

/** Opens the fields of the first block of a site that has every kind. */
async function openFields(t: Test, blocks?: readonly Props[]) {
  const { page, origin, errors } = await openStudio(t)
  const site = await serveKinds(t, origin, blocks)
  await page.goto(`${origin}/studio?siteId=kinds`)
  await page
    .getByRole('treeitem', { name: /Every kind/ })
    .first()
    .click()
  await page.getByLabel('Heading', { exact: true }).waitFor()
  await page.locator('.ProseMirror').first().waitFor()
  return { page, site, errors }
}

/** Waits until a prop has a value that is as wanted, and returns what it has at last. */
async function until(
  { props }: KindsSite,
  name: string,
  isWanted: (value: unknown) => boolean,
): Promise<unknown> {
  await eventually(async () => isWanted((await props())[name]))
  return (await props())[name]
}
const stores = (site: KindsSite, name: string, wanted: unknown): Promise<unknown> =>
  until(site, name, (value) => isDeepStrictEqual(value, wanted))

/**
 * Pastes HTML where the caret is, once the editor has read where that is: the browser reports it with the
 * next frame.
 */
const paste = (page: Page, html: string) =>
  page.evaluate(async (html) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    await frame()
    await frame()
    const data = new DataTransfer()
    data.setData('text/html', html)
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  }, html)

t.test('every kind has its field', inBrowser, async (t) => {
  const { page, site, errors } = await openFields(t)
  const field = (label: string) => page.getByLabel(label, { exact: true })
  const fill = (label: string, text: string) => async (): Promise<void> => {
    await field(label).fill(text)
    await field(label).blur()
  }
  const table: readonly [name: string, label: string, edit: () => Promise<unknown>, stored: unknown][] = [
    ['heading', 'Heading', fill('Heading', 'New'), 'New'],
    ['intro', 'Intro', fill('Intro', 'One\nTwo'), 'One\nTwo'],
    ['target', 'Target', fill('Target', '/elsewhere'), '/elsewhere'],
    ['page', 'Landing page', fill('Landing page', '/other'), { ...everyKind.page, href: '/other' }],
    ['picture', 'Picture', fill('Picture', '/new.png'), '/new.png'],
    ['pictureAlt', 'Picture description', fill('Picture description', 'New'), 'New'],
    ['tone', 'Tone', () => field('Tone').selectOption('loud'), 'loud'],
    ['tone', 'Tone', () => field('Tone').selectOption(''), undefined],
    ['shade', 'Shade', fill('Shade', 'tomato'), 'tomato'],
    ['shade', 'Shade', () => field('Choose Shade').fill('#00ff00'), '#00ff00'],
    ['amount', 'Amount', fill('Amount', '7.5'), 7.5],
    ['amount', 'Amount', fill('Amount', ''), undefined],
    ['level', 'Level', () => field('Level').selectOption('h3'), 'h3'],
    ['isShown', 'Is shown', () => field('Is shown').uncheck(), false],
    ['tags', 'Tags', fill('Tags', 'red\n\nblue'), ['red', 'blue']],
    ['photos', 'Photos', () => page.getByLabel('Move picture 2 up').click(), ['/two.png', '/one.png']],
    ['photos', 'Photos', () => page.getByLabel('Delete picture 1').click(), ['/one.png']],
  ]
  for (const [name, label, edit, stored] of table) {
    await edit()
    t.strictSame(await stores(site, name, stored), stored, `${label}: ${JSON.stringify(stored)}`)
  }
  t.equal(await field('Partner').textContent(), 'Harbor Rowing', 'a reference is read')
  t.equal(await field('Story').textContent(), 'Told by the CMS', 'so is a document of the CMS')
  t.strictSame(errors, [])
})

t.test('a text keeps its caret, its own undo, and one line of the history a pause', inBrowser, async (t) => {
  const { page, site, errors } = await openFields(t)
  const heading = page.getByLabel('Heading', { exact: true })
  await heading.focus()
  await page.keyboard.press('End')
  // In one task, so that there is no pause between the letters on a busy machine.
  await heading.evaluate(() =>
    [...' more'].forEach((letter) => document.execCommand('insertText', false, letter)),
  )
  await stores(site, 'heading', 'A heading more')
  await page.keyboard.press('Home')
  await page.keyboard.type('x')
  // Somebody else changes another field of this block, then this one.
  await site.send([{ op: 'update_props', patch: { pictureAlt: 'Theirs' } }])
  await page.waitForFunction(() =>
    [...document.querySelectorAll('input')].some(({ value }) => value === 'Theirs'),
  )
  t.strictSame(await heading.evaluate((input: HTMLInputElement) => [input.value, input.selectionStart]), [
    'xA heading more',
    1,
  ])
  t.equal(await stores(site, 'heading', 'xA heading more'), 'xA heading more', 'sent on the new version')
  await page.keyboard.press('ControlOrMeta+z')
  t.equal(await heading.inputValue(), 'A heading more', 'the undo of the browser')
  await stores(site, 'heading', 'A heading more')
  const lines = (await site.lines()).filter((line) => /Heading|heading/.test(JSON.stringify(line)))
  t.equal(lines.length, 3, 'one line a pause')

  await heading.evaluate((input: HTMLInputElement) => input.setSelectionRange(0, 0))
  await site.send([{ op: 'update_props', patch: { heading: 'Theirs' } }])
  await page.keyboard.type('Mine ')
  await page.getByRole('button', { name: 'Keep mine' }).waitFor()
  t.equal((await site.props())['heading'], 'Theirs', 'nothing is written over')
  t.equal(await heading.inputValue(), 'Mine A heading more')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  t.equal(await stores(site, 'heading', 'Mine A heading more'), 'Mine A heading more')
  t.strictSame(
    errors.filter((text) => !text.includes('409')),
    [],
  )
})

t.test('what the service refuses stays where it was typed', inBrowser, async (t) => {
  const { page, site } = await openFields(t)
  const heading = page.getByLabel('Heading', { exact: true })
  const json = { error: 'schema_violation', code: 'schema_violation', reason: 'heading must be shorter' }
  await page.route('**/ops', (route) => route.fulfill({ status: 400, json }))
  await heading.fill('A heading that is far too long for it')
  await page.locator('.field .failure', { hasText: 'heading must be shorter' }).waitFor()
  t.match(await page.locator('.field', { has: heading }).locator('.hint').textContent(), /37 of 30/)
  await page.getByRole('tab', { name: 'Chat' }).click()
  await page.getByRole('tab', { name: 'Fields' }).click()
  const typed = 'A heading that is far too long for it'
  t.equal(await heading.inputValue(), typed, 'the field was closed meanwhile')
  await page.unroute('**/ops')
  await heading.fill('')
  t.equal(await stores(site, 'heading', ''), '')
  await page.locator('.field .failure', { hasText: 'This field needs a text.' }).waitFor()
  await heading.fill('Stored by Enter')
  await heading.press('Enter')
  t.equal(await stores(site, 'heading', 'Stored by Enter'), 'Stored by Enter')
  t.equal(await heading.evaluate((field) => field === document.activeElement), true, 'the focus stays')
})

t.test('Enter that ends a composition stores nothing', inBrowser, async (t) => {
  const { page, site, errors } = await openFields(t)
  const heading = page.getByLabel('Heading', { exact: true })
  const input = await page.context().newCDPSession(page)
  for (const [name, element] of [
    ['heading', heading],
    ['body', page.getByRole('textbox', { name: 'Body' })],
  ] as const) {
    await element.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await input.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
    const enter = { type: 'rawKeyDown', key: 'Enter', windowsVirtualKeyCode: 229 } as const
    await input.send('Input.dispatchKeyEvent', enter)
    const isFocused = await element.evaluate((field) => field === document.activeElement)
    t.equal(isFocused, true, `${name} keeps the caret`)
    await input.send('Input.insertText', { text: '日本' })
    t.equal(await stores(site, name, '日本'), '日本')
  }
  t.strictSame(errors, [])
})

t.test('rows are added, moved, copied and deleted; what is open hangs on the row', inBrowser, async (t) => {
  const { page, site, errors } = await openFields(t)
  const people = page.locator('.list').first()
  const names = async (): Promise<unknown> =>
    ((await site.props())['people'] as readonly Props[]).map(({ name }) => name)
  const shows = async (wanted: readonly string[]): Promise<void> => {
    await eventually(async () => isDeepStrictEqual(await names(), wanted))
    t.strictSame(await names(), wanted)
  }
  await people.locator('summary', { hasText: 'Ana' }).click()
  await people.getByLabel('Name').fill('Anna')
  await page.getByLabel('Move Ana down').click()
  await shows(['Ben', 'Anna', 'Cho'])
  await page.getByText('Ana is now 2 of 3').waitFor()
  t.equal(await people.getByLabel('Name').inputValue(), 'Anna', 'the row stays open')
  const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  t.equal(focused, 'Move Anna down', 'the focus stays with the row')
  await people.getByLabel('Name').fill('Anne')
  await site.send([{ op: 'remove_item', listKey: 'people', index: 0 }])
  await shows(['Anne', 'Cho'])
  t.pass('what was typed found its row, whose position had changed')
  await page.getByLabel('Copy Anne').click()
  await shows(['Anne', 'Anne', 'Cho'])
  await page.getByLabel('Delete Anne').first().click()
  await shows(['Anne', 'Cho'])
  await people.locator('summary').nth(2).waitFor({ state: 'detached' })
  await people.locator('summary', { hasText: 'Cho' }).first().focus()
  await page.keyboard.press('Alt+ArrowUp')
  await shows(['Cho', 'Anne'])
  await page.keyboard.press('Enter')
  await people.locator('.list').getByText('+ Add').click()
  const inner = async (): Promise<unknown> => {
    const [first] = (await site.props())['people'] as readonly { readonly links: readonly Props[] }[]
    return first?.links.map(({ label }) => label)
  }
  await people.getByLabel('Label', { exact: true }).fill('Inside')
  await eventually(async () => isDeepStrictEqual(await inner(), ['Inside']))
  t.strictSame(await inner(), ['Inside'], 'a list inside a row')

  await people.locator('.list').getByRole('button', { name: 'Choose a picture' }).click()
  const dialog = page.locator('dialog.wide')
  await dialog.getByLabel('Link to a picture').fill('https://pictures.example/logo.png')
  await dialog.getByRole('button', { name: 'Use this link' }).click()
  await dialog.getByLabel('Image description').fill('An oar')
  await dialog.getByRole('button', { name: 'Use this picture' }).click()
  await says(page, 'Logo saved')
  const [{ links: [link] = [] } = {}] = (await site.props())['people'] as readonly { links?: Props[] }[]
  t.match(link, { label: 'Inside', logo: 'https://pictures.example/logo.png', logoAlt: 'An oar' })
  await page.locator('.fields > .list > div').getByText('+ Add').click()
  await shows(['Cho', 'Anne', ''])
  t.strictSame(errors, [])
})

t.test('rich text is edited by keys and buttons, and only what was edited changes', inBrowser, async (t) => {
  const { page, site, errors } = await openFields(t)
  const body = page.getByRole('textbox', { name: 'Body' })
  const markup = page.getByRole('textbox', { name: 'Markup' })
  const tools = page.locator('.field', { has: body })
  const rest = everyKind.body.slice(everyKind.body.indexOf('\n'))
  await body.locator('p').first().click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Typed ')
  await page.keyboard.press('ControlOrMeta+i')
  await page.keyboard.type('here')
  const written = `One **bold** word. Typed *here*${rest}`
  t.equal(await stores(site, 'body', written), written)

  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder('Page, block, website or command').waitFor()
  t.pass('without selected words the keys open the palette')
  await page.keyboard.press('Escape')
  await page.getByPlaceholder('Page, block, website or command').waitFor({ state: 'detached' })
  await body.locator('strong').dblclick()
  await tools.locator('[aria-label=Link]:enabled').waitFor()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByLabel('Page or web address').fill('javascript:alert(1)')
  t.equal(await page.getByRole('button', { name: 'Set link' }).isDisabled(), true)
  await page.getByLabel('Page or web address').fill('/other')
  await page.keyboard.press('Enter')
  const linked = `One [**bold**](/other) word. Typed *here*${rest}`
  t.equal(await stores(site, 'body', linked), linked)

  await tools.getByLabel('Kind of paragraph').selectOption('2')
  await stores(site, 'body', `## ${linked}`)
  await tools.getByLabel('Kind of paragraph').selectOption('0')
  await stores(site, 'body', linked)
  await tools.getByLabel('List', { exact: true }).click()
  t.equal(await stores(site, 'body', `- ${linked}`), `- ${linked}`)
  await body.press('ControlOrMeta+z')
  t.equal(await stores(site, 'body', linked), linked, 'its own undo')

  await markup.locator('p').first().click()
  await page.keyboard.press('End')
  await paste(
    page,
    '<h2 onclick="alert(1)">Pasted</h2><img src=x onerror="alert(1)"><script>alert(1)</script><a href="javascript:alert(1)">l</a>',
  )
  const stored = String(await until(site, 'markup', (value) => String(value).includes('Pasted')))
  t.match(stored, /Pasted/)
  t.notMatch(stored, /onclick|img|script/, 'pasted text is cleaned by the schema')
  t.match(stored, /\n<ul>\n {2}<li>one<\/li>\n<\/ul>$/, 'the list is as it was')
  await page.keyboard.press('End')
  const row = (text: string, sign: string) =>
    `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>${text}<o:p></o:p></p>`
  await paste(
    page,
    `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0}</style></head><body>
      <!--StartFragment--><p class=MsoNormal>From <a href="https://example.org/word"><span style='color:blue'>Word</span></a></p>
      ${row('First row', '1.')}${row('Second row', '2.')}
      <table class=MsoTableGrid><tr><td><p class=MsoNormal>Left cell</p></td><td><p class=MsoNormal>Right cell</p></td></tr></table><!--EndFragment--></body></html>`,
  )
  const word = String(await until(site, 'markup', (value) => String(value).includes('Right cell')))
  t.match(word, /<a href="https:\/\/example\.org\/word">Word<\/a>/)
  t.match(word, /<ol><li>First row<\/li><li>Second row<\/li><\/ol>/, 'rows, without their signs')
  t.match(word, /<p>Left cell<\/p>\s*<p>Right cell<\/p>/, 'a table is not read: its texts stay')
  await page.getByRole('button', { name: 'Show the markup' }).click()
  await page.getByRole('textbox', { name: 'Markup' }).fill('<p class="lead">As written</p>')
  t.equal(await stores(site, 'markup', '<p class="lead">As written</p>'), '<p class="lead">As written</p>')
  t.strictSame(errors, [], 'the policy for pasted text is the only one')
})

t.test('looking at a field stores nothing', inBrowser, async (t) => {
  const { page, site } = await openFields(t)
  const before = [await site.props(), (await site.lines()).length]
  for (const name of ['Heading', 'Intro', 'Target', 'Amount', 'Tags', 'Shade']) {
    await page.getByLabel(name, { exact: true }).focus()
    await page.keyboard.type('1')
    await page.keyboard.press('Backspace')
  }
  for (const name of ['Body', 'Markup']) {
    await page.getByRole('textbox', { name }).focus()
    await page.keyboard.type('1')
    await page.keyboard.press('Backspace')
  }
  await page.getByLabel('Heading', { exact: true }).focus()
  await setTimeout(1200)
  t.strictSame([await site.props(), (await site.lines()).length], before)
})

const hostile = `"><img src=x onerror="window.ran=1"><script>window.ran=1</script>javascript:window.ran=1//\u202E${'W'.repeat(300)}`

t.test('hostile content is text in every field', inBrowser, async (t) => {
  const flat = Object.fromEntries(Object.keys(everyKind).map((name) => [name, hostile]))
  const deep = {
    ...everyKind,
    page: { href: 'javascript:window.ran=1', label: hostile },
    partner: { _ref: hostile, name: hostile },
    body: `[${'x'}](javascript:window.ran=1) ${hostile}`,
    markup: `<p>${hostile}</p><p><a href="javascript:window.ran=1">x</a></p>`,
    picture: 'https://evil.example/x.png',
    tags: [hostile],
    photos: [hostile, 'javascript:window.ran=1', 'data:text/html,<script>window.ran=1</script>'],
    story: [{ text: hostile }],
    people: [{ name: hostile, links: [{ label: hostile, href: 'javascript:window.ran=1' }] }],
  }
  const { page, errors } = await openFields(t, [{ ...flat, heading: 'Flat', body: hostile }, deep])
  await page.evaluate(() => {
    const reports: string[] = []
    Object.assign(window, { reports })
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
      reports.push(violatedDirective),
    )
  })
  for (const row of await page.getByRole('treeitem', { name: /Every kind/ }).all()) {
    await row.click()
    await page.locator('.ProseMirror').first().waitFor()
    for (const summary of await page.locator('.list summary').all()) await summary.click()
    for (const element of await page.locator('.ProseMirror').all()) {
      await element.click()
      await page.keyboard.type(' <b>x</b> ')
    }
    for (const link of await page.locator('.ProseMirror a').all())
      await link.click({ modifiers: ['ControlOrMeta'] })
    await setTimeout(800)
  }
  t.equal(await page.evaluate(() => Reflect.get(window, 'ran')), undefined, 'no script ran')
  t.strictSame(await page.evaluate(() => Reflect.get(window, 'reports')), [], 'no report of the policy')
  t.equal(page.context().pages().length, 1)
  const width = await page
    .locator('.right')
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  t.equal(width, 0, 'a long word breaks')
  t.strictSame(errors, [])
})

t.test('a key changes its field and nothing else, on a page of 200 blocks', inBrowser, async (t) => {
  const blocks = Array.from({ length: 200 }, (_, at) => ({ ...everyKind, heading: `Block ${at + 1}` }))
  const { page, site, errors } = await openFields(t, blocks)
  t.equal(await page.getByLabel('Heading', { exact: true }).count(), 1, 'only the selected block has fields')
  // The site has no script: this is said once both ways into the draft were tried.
  await page.getByText('The preview is not connected.').waitFor()
  for (const [name, element] of [
    ['Heading', page.getByLabel('Heading', { exact: true })],
    ['Body', page.getByRole('textbox', { name: 'Body' })],
    ['Tags', page.getByLabel('Tags', { exact: true })],
  ] as const) {
    await element.focus()
    await page.keyboard.press('ControlOrMeta+End')
    const changed = await page.evaluate(async () => {
      const own = document.activeElement?.closest('.field')
      // With the first key the bar says that something is not stored yet.
      document.execCommand('insertText', false, 'a')
      for (let frame = 0; frame < 5; frame += 1)
        await new Promise((resolve) => requestAnimationFrame(resolve))
      const others: string[] = []
      const observer = new MutationObserver((records) => {
        for (const { target } of records)
          if (!own?.contains(target))
            others.push(target instanceof Element ? target.outerHTML.slice(0, 80) : target.nodeName)
      })
      observer.observe(document.body, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      })
      for (const key of 'bcdef') {
        document.execCommand('insertText', false, key)
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
      observer.disconnect()
      return others
    })
    t.strictSame(changed, [])
    // What is stored is shown at other places as well, and not while the next field is watched.
    await element.blur()
    await says(page, `${name} saved`)
    await page.getByRole('treeitem', { name: 'Block 1abcdef' }).waitFor()
  }
  t.equal(await stores(site, 'heading', 'Block 1abcdef'), 'Block 1abcdef')
  t.strictSame(errors, [])
})
