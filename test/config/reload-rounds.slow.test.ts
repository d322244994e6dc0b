/**
 * A person types on a page whose development server loads it again, or replaces its elements, because a developer
 * saves files at the same time: no letter of either is lost. `ROUNDS=20` plays each round twenty times.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { eventually, inBrowser, openBrowser, openTab } from '../studio/browser.ts'
import { leftTexts, offeredTexts } from '../studio/typing.ts'
import { edited } from './edited.ts'
import { filesOf, index, other, texts } from './reload-site.ts'

const rounds = Number(process.env['ROUNDS'] ?? 1)
const id = { siteId: 'boats', session: 'dev' }
const slug = '/~content/index.md'

interface Stage extends Pick<Awaited<ReturnType<typeof edited>>, 'folder' | 'studio' | 'call'> {
  readonly page: Page
}
/** What a person types at the end of a text. */
interface TypedText {
  readonly tag: string
  /** As the file has it. */
  readonly text: string
  readonly letters: string
}
interface Round {
  readonly round: number
  /** In even rounds one text, in odd ones another one right after it. */
  readonly typed: readonly [TypedText, ...TypedText[]]
}

const readIn = ({ folder }: Stage, name: string): string => readFileSync(join(folder, name), 'utf8')
/** Saves a file as editors of code do: in place, or by another one that is renamed. */
function save(stage: Stage, name: string, change: (text: string) => string): void {
  const path = join(stage.folder, name)
  const text = change(readIn(stage, name))
  if (Math.random() < 0.5) return writeFileSync(path, text)
  writeFileSync(`${path}.swp`, text)
  renameSync(`${path}.swp`, path)
}
const versioned = (text: string, version: string): string =>
  text.replace(/version [\d.]+/, `version ${version}`)

/** The text as a developer writes it anew, in odd rounds with a mark more. */
const rewritten = ({ typed: [{ tag, text }], round }: Round): string =>
  text.replace(' ', round % 2 === 0 || tag === 'h1' ? ' new ' : ' **new** ')

/** What happens while a person types, step by step, and what the file has then without that person. */
interface Act {
  readonly steps: (stage: Stage, round: Round) => readonly (() => unknown)[]
  readonly file?: (round: Round) => string
}
const twice =
  (name: string): Act['steps'] =>
  (stage, { round }) =>
    [1, 2].map((n) => () => save(stage, name, (text) => versioned(text, `${round}.${n}`)))
const ownText = 'a developer saves the text that is typed'
const acts: Readonly<Record<string, Act>> = {
  'a developer saves another paragraph': {
    steps: twice('content/index.md'),
    file: ({ round }) => versioned(index, `${round}.2`),
  },
  'a developer saves another file': { steps: twice('content/oak.md') },
  'a developer saves the template': {
    steps: (stage, { round }) =>
      [1, 2].map((n) => () => save(stage, 'theme/page.tpl', (text) => `${text}<!-- ${round}.${n} -->\n`)),
  },
  [ownText]: {
    steps: (stage, round) => [
      () =>
        save(stage, 'content/index.md', (text) => text.replace(round.typed[0].text, () => rewritten(round))),
    ],
    file: (round) => index.replace(round.typed[0].text, () => rewritten(round)),
  },
  'a developer saves all files': {
    steps: (stage, { round }) =>
      ['content/index.md', 'theme/page.tpl', 'content/oak.md'].map(
        (name) => () => save(stage, name, (text) => versioned(`${text}`, `${round}.3`)),
      ),
    file: ({ round }) => versioned(index, `${round}.3`),
  },
  'the draft is published': { steps: ({ call }) => [() => call('/publish', id)] },
}

const draftOf = async ({ call }: Stage): Promise<string> =>
  JSON.stringify(await call(`/draft/pages?${new URLSearchParams({ ...id, slug })}`))

/** Writes the files as they were, and waits for the draft to have them. */
async function begin(stage: Stage): Promise<void> {
  // What a round that has failed may have left.
  await stage.call('/publish', id)
  writeFileSync(join(stage.folder, 'content/index.md'), index)
  writeFileSync(join(stage.folder, 'content/oak.md'), other)
  await eventually(async () => {
    const text = await draftOf(stage)
    return text.includes('version 0.') && !/letters|new/.test(text) && text.includes('sail on lakes.')
  })
  await stage.page.goto(stage.studio)
}

/** Puts the caret at the end of a text; a person clicks again where the page was loaded meanwhile. */
async function enter({ page }: Stage, { tag, text }: TypedText): Promise<void> {
  const frame = page.frameLocator('iframe.frame')
  const hasText = text.slice(0, text.indexOf(' ', 4))
  await eventually(async () => {
    await frame.locator(`${tag}[data-editable-marked]`, { hasText }).dblclick({ timeout: 3000 })
    await frame.locator(`${tag}[contenteditable]`, { hasText }).waitFor({ timeout: 1000 })
    return true
  })
  await page.keyboard.press('ControlOrMeta+End')
}

/** Types as people do: with pauses, some of which are long enough that what is typed is stored. */
async function typeAsPeople(
  page: Page,
  letters: string,
  meanwhile: readonly (() => unknown)[] = [],
): Promise<void> {
  const at = meanwhile.map((_, n) => 3 + n * 6 + Math.floor(Math.random() * 6))
  const running: unknown[] = []
  for (const [n, letter] of [...letters].entries()) {
    running.push(...meanwhile.filter((_, step) => at[step] === n).map((act) => act()))
    await page.keyboard.type(letter)
    await pause(Math.random() < 0.06 ? 800 : 30 + Math.random() * 120)
  }
  await Promise.all(running)
  await page.keyboard.press('Enter')
}

const Diff = v.object({
  conflicts: v.array(v.looseObject({ id: v.string(), ours: v.optional(v.unknown()) })),
})

/** Decides for what was typed wherever two versions are shown; returns whether there were some. */
async function decided({ page, call }: Stage, { typed }: Round): Promise<boolean> {
  const choose = page.locator('.bar').getByRole('button', { name: 'Choose' })
  if ((await choose.count()) > 0) await choose.click()
  const keep = page.getByRole('button', { name: 'Keep mine' })
  const isShown = (await keep.count()) > 0
  if (isShown) await keep.first().click()
  const { conflicts } = v.parse(Diff, await call(`/publish/diff?${new URLSearchParams(id)}`))
  for (const conflict of conflicts) {
    const isOurs = typed.some(({ letters }) => JSON.stringify(conflict.ours).includes(letters))
    if (isOurs) await call('/draft/conflicts', { ...id, decide: [{ id: conflict.id, take: 'draft' }] })
  }
  return isShown || conflicts.length > 0
}

async function play(t: Test, stage: Stage, act: Act, round: Round): Promise<void> {
  const { page, call } = stage
  await begin(stage)
  for (const [n, each] of round.typed.entries()) {
    if (n > 0) await pause(400)
    await enter(stage, each)
    await typeAsPeople(page, each.letters, n === 0 ? act.steps(stage, round) : [])
  }
  let wasDecided = false
  const isSafe = async (): Promise<boolean> => {
    const draft = await draftOf(stage)
    if (round.typed.every(({ letters }) => draft.includes(letters))) return true
    wasDecided = (await decided(stage, round)) || wasDecided
    return false
  }
  const isOffered = async (): Promise<boolean> => {
    const texts = (await leftTexts(page).count()) > 0 ? await offeredTexts(page) : ''
    return round.typed.some(({ letters }) => texts.includes(letters))
  }
  let wasOffered = false
  await eventually(async () => (wasOffered = await isOffered()) || isSafe()).catch(() => undefined)
  if (wasOffered) return void t.pass('a text is shown as not saved')
  const draft = await draftOf(stage)
  for (const { letters } of round.typed) if (!draft.includes(letters)) t.match(draft, letters, 'is lost')
  const byDeveloper = act.file?.(round) ?? index
  const isPublished = act === acts['the draft is published']
  if (!isPublished) t.equal(readIn(stage, 'content/index.md'), byDeveloper, 'what the developer has saved')
  await eventually(async () => {
    wasDecided = (await decided(stage, round)) || wasDecided
    return Object(await call('/publish', id))['status'] === 'ready'
  })
  const [first, ...others] = round.typed
  const withAll = (text: string, all: readonly TypedText[]): string =>
    all.reduce((whole, each) => whole.replace(each.text, each.text + each.letters), text)
  const merged =
    act === acts[ownText]
      ? byDeveloper.replace(rewritten(round), () => rewritten(round) + first.letters)
      : withAll(byDeveloper, [first])
  const mine = withAll(act === acts[ownText] ? index : byDeveloper, round.typed)
  const published = readIn(stage, 'content/index.md')
  if (published !== withAll(merged, others) && !(wasDecided && published === mine))
    t.equal(published, withAll(merged, others))
}

function roundOf(round: number): Round {
  const at = (n: number, letters: string): TypedText => {
    const [, tag, text] = texts[n % texts.length] ?? ['', '', '']
    return { tag, text, letters: ` and ${round} letters ${letters}` }
  }
  const first = at(round, 'abcdefghijklmnopqrstu')
  return { round, typed: round % 2 === 0 ? [first] : [first, at(round + 2, 'vwxyzabc')] }
}

for (const way of ['reload', 'replace'] as const)
  t.test(`no letter is lost where a change is shown by ${way}`, inBrowser, async (t) => {
    const site = await edited(t, filesOf(way))
    const browser = await openBrowser(t)
    const { page, errors } = await openTab(await browser.newContext(), site.studio, {
      width: 2100,
      height: 1300,
    })
    let round = 0
    for (const [name, act] of Object.entries(acts))
      for (let times = 0; times < rounds; times += 1) {
        round += 1
        const played = roundOf(round)
        const [{ tag, text }] = played.typed
        await t.test(`${name}: ${tag}, ${text.slice(0, 8)}, round ${round}`, (t) =>
          play(t, { ...site, page }, act, played),
        )
      }
    t.strictSame(
      errors.filter((error) => !/status of 404/.test(error)),
      [],
    )
  })
