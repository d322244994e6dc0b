/**
 * A person types 40 letters while another deletes, renames, moves, undoes, restores or publishes what is
 * under the caret: no letter is lost, and each notice has the name. `ROUNDS=20` plays each of them twenty
 * times.
 */
import type { Test } from 'tap'
import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { eventually, siteIn, type openStudio } from './browser.ts'
import {
  asBen,
  beforeIt,
  field,
  fields,
  leftTexts,
  letters,
  notice,
  offeredTexts,
  openBlock,
  saveState,
  typeLetters,
} from './typing.ts'

const rounds = Number(process.env['ROUNDS'] ?? 1)

type Ben = ReturnType<typeof asBen>

/** The places of a round: a page of its own, with a block and rows. */
interface Places {
  readonly slug: string
  readonly moved: string
  readonly hero: string
  readonly stats: string
}

const placesOf = (round: number): Places => ({
  slug: `/round-${round}`,
  moved: `/moved-${round}`,
  hero: `b_hero_${round}`,
  stats: `b_stats_${round}`,
})

const row = (label: string) => ({ value: '1', label })
const heroOf = ({ hero }: Places) => ({ id: hero, type: 'Hero', props: { heading: 'Before it' } })
const statsOf = ({ stats }: Places, ...labels: readonly string[]) => ({
  id: stats,
  type: 'Stats',
  props: { title: 'Rows', stats: labels.map(row) },
})
const createPage = (places: Places, ...blocks: readonly object[]) => ({
  op: 'create_page',
  page: { slug: places.slug, title: 'Round', blocks },
})
const whole = (places: Places) => createPage(places, heroOf(places), statsOf(places, 'One', 'Two', 'Three'))
const on = ({ slug }: Places, op: string, more: object) => ({ op, pageSlug: slug, ...more })
const rename = (of: Places) => on(of, 'rename_page', { newPageSlug: of.moved, newTitle: 'Moved' })
const removeBlock = (of: Places) => on(of, 'remove_block', { blockId: of.hero })
const removeRow = (of: Places) => on(of, 'remove_item', { blockId: of.stats, listKey: 'stats', index: 1 })
const moveBlock = (of: Places) => on(of, 'move_block', { blockId: of.hero, afterBlockId: of.stats })
const moveRow = (of: Places) =>
  on(of, 'move_item', { blockId: of.stats, listKey: 'stats', index: 1, afterIndex: 2 })
const removePage = (of: Places) => on(of, 'remove_page', {})

/** Plays what comes before; returns what Ben does while the other one types. */
type Act = (by: Ben, of: Places) => Promise<() => Promise<unknown>>

/** One operation on a page that is there. */
const operation =
  (op: (of: Places) => object): Act =>
  async ({ ops }, of) => {
    await ops(whole(of))
    return () => ops(op(of))
  }
const published =
  (op: (of: Places) => object): Act =>
  async ({ publish }, of) => {
    await publish(whole(of))
    return () => publish(op(of))
  }
/** The undo of one operation. */
const undone =
  (before: (of: Places) => object, op: (of: Places) => object): Act =>
  async ({ ops, undo }, of) => {
    await ops(before(of))
    const version = await ops(op(of))
    return () => undo(version)
  }
const restored =
  (before: (of: Places) => object, op: (of: Places) => object): Act =>
  async ({ ops, restore }, of) => {
    const version = await ops(before(of))
    await ops(op(of))
    return () => restore(version)
  }

const withoutHero = (of: Places) => createPage(of, statsOf(of, 'One', 'Two', 'Three'))
const addHero = (of: Places) => on(of, 'add_block', { block: heroOf(of) })
const withoutRow = (of: Places) => createPage(of, heroOf(of), statsOf(of, 'One', 'Three'))
const addRow = (of: Places) =>
  on(of, 'add_item', { blockId: of.stats, listKey: 'stats', item: row('Two'), afterIndex: 0 })
const otherPage = ({ moved }: Places) => ({
  op: 'create_page',
  page: { slug: `${moved}-other`, title: 'Other', blocks: [] },
})

const acts: Readonly<Record<'block' | 'row' | 'page', Readonly<Record<string, Act>>>> = {
  block: {
    delete: operation(removeBlock),
    move: operation(moveBlock),
    undo: undone(withoutHero, addHero),
    restore: restored(withoutHero, addHero),
    follow: published(removeBlock),
    'follow of a move': published(moveBlock),
  },
  row: {
    delete: operation(removeRow),
    'delete of its block': operation((of) => on(of, 'remove_block', { blockId: of.stats })),
    'delete of its page': operation(removePage),
    move: operation(moveRow),
    undo: undone(withoutRow, addRow),
    restore: restored(withoutRow, addRow),
    follow: published(removeRow),
    'follow of a move': published(moveRow),
  },
  page: {
    delete: operation(removePage),
    rename: operation(rename),
    move: operation((of) => on(of, 'move_page', {})),
    'undo of its creation': undone(otherPage, whole),
    'undo of a rename': undone(whole, rename),
    restore: async ({ ops, restore }, of) => {
      await ops(whole(of))
      const version = await ops(removePage(of))
      await ops(whole(of))
      return () => restore(version)
    },
    'follow of a delete': published(removePage),
    'follow of a rename': published(rename),
  },
}
/** After this the page that is typed on has its other address. */
const startsMoved = 'undo of a rename'

const Slugs = v.object({ slugs: v.array(v.string()) })
/** Removes the pages of a round: hundreds of them in its menu would cover the page of the site. */
async function clean({ origin, siteId }: Stage, { slug, moved }: Places): Promise<void> {
  const answer = await fetch(`${origin}/draft/slugs?siteId=${siteId}&session=dev`)
  const { slugs } = v.parse(Slugs, await answer.json())
  const own = slugs.filter((each) => [slug, moved, `${moved}-other`].includes(each))
  if (own.length > 0)
    await asBen(origin, siteId).ops(...own.map((pageSlug) => ({ op: 'remove_page', pageSlug })))
}

const Pages = v.object({ blocks: v.array(v.object({ id: v.string(), props: v.looseObject({}) })) })

interface Stage {
  readonly page: Page
  readonly origin: string
  readonly siteId: string
}

interface Round {
  readonly what: string
  readonly act: string
  readonly isInPage: boolean
  /** Even ones bring back what is gone, odd ones keep the text. */
  readonly round: number
}

/** Whether a draft has the letters, or some of them, on one of the pages of a round. */
async function isStored(
  { origin, siteId }: Stage,
  { slug, moved }: Places,
  text = letters,
): Promise<boolean> {
  const texts = await Promise.all(
    [slug, moved].map(async (each) => {
      const answer = await fetch(`${origin}/draft/pages?siteId=${siteId}&session=dev&slug=${each}`)
      return answer.ok ? JSON.stringify(v.parse(Pages, await answer.json())) : ''
    }),
  )
  return texts.some((each) => each.includes(text))
}

/** Puts the caret into the place that a round is about; returns how it reads what is there. */
async function begin({ page }: Stage, of: Places, what: string, isInPage: boolean) {
  if (isInPage) {
    const site = await siteIn(page)
    const text = what === 'row' ? '[data-editable-target="stats[1].label"]' : 'h1'
    const at = what === 'row' ? of.stats : of.hero
    await site.locator(`[data-block-id="${at}"] ${text}`).dblclick()
    const edited = site.locator('[contenteditable]')
    await edited.waitFor()
    return () => edited.textContent()
  }
  if (what !== 'row') {
    await openBlock(page, 'Hero')
    const heading = field(page, 'Heading')
    await heading.focus()
    return () => heading.inputValue()
  }
  await openBlock(page, 'Stats')
  await fields(page).locator('summary').nth(1).click()
  const label = fields(page).locator('details[open]').getByLabel('Label', { exact: true })
  await label.focus()
  return () => label.inputValue()
}

const byName = /^Ben deleted this (?:block|row|page)\./

/** One round: types, and follows the letters to where they are safe. */
async function play(t: Test, stage: Stage, { what, act, isInPage, round }: Round) {
  const { page, origin, siteId } = stage
  const of = placesOf(round)
  const all: Readonly<Record<string, Act>> = acts[what as keyof typeof acts]
  const meanwhile = await all[act]?.(asBen(origin, siteId), of)
  if (!meanwhile) throw new Error(`no act ${what} ${act}`)
  await page.goto(`${origin}/studio?siteId=${siteId}&slug=${act === startsMoved ? of.moved : of.slug}`)
  const shown = await begin(stage, of, what, isInPage)
  const isPartStored = round % 4 < 2
  const stored = async () => isPartStored && eventually(() => isStored(stage, of, beforeIt))
  await typeLetters(page, meanwhile, round % 2 === 0 ? 60 : 25, stored)
  t.equal(await shown(), letters, 'under the caret')
  if (isInPage) await page.keyboard.press('Enter')
  const isGone = async () => (await notice(page).count()) > 0
  await eventually(async () => (await isStored(stage, of)) || isGone())
  if (act.includes('rename')) await page.locator('.right').getByText('Ben moved this page to').waitFor()
  const keepMine = notice(page).getByRole('button', { name: 'Keep mine' })
  if ((await keepMine.count()) > 0) {
    // An undo of a change undoes what was stored on it since.
    t.match(act, /undo/)
    await notice(page).getByText('Ben has written this meanwhile:').waitFor()
    await saveState(page).getByText('Not saved: two versions.', { exact: true }).waitFor()
    await keepMine.click()
    await eventually(() => isStored(stage, of))
  }
  if (!(await isGone())) {
    await saveState(page).getByText('Saved', { exact: true }).waitFor()
    t.equal(await leftTexts(page).count(), 0)
    t.ok(await isStored(stage, of), 'saved is stored')
    return
  }
  await notice(page).getByText(byName).waitFor()
  t.not(await saveState(page).textContent(), 'Saved')
  if (round % 2 === 0) {
    await notice(page).getByRole('button', { name: 'Bring it back' }).click()
    await eventually(() => isStored(stage, of))
    await saveState(page).getByText('Saved', { exact: true }).waitFor()
    t.equal(await leftTexts(page).count(), 0)
    return
  }
  await notice(page).getByRole('button', { name: 'Keep my text' }).click()
  t.match(await offeredTexts(page), letters)
  await saveState(page).getByText('1 text is not saved', { exact: true }).waitFor()
  await leftTexts(page).getByRole('button', { name: 'Discard' }).click()
}

/** Plays all acts in the studio of a site, typed in a field and in the page. */
export async function playRounds(
  t: Test,
  siteId: string,
  { page, origin, errors }: Awaited<ReturnType<typeof openStudio>>,
): Promise<void> {
  let round = 0
  for (const [what, list] of Object.entries(acts))
    for (const act of Object.keys(list))
      for (const isInPage of [false, true])
        await t.test(`${what}, ${act}, typed in ${isInPage ? 'the page' : 'a field'}`, async (t) => {
          for (let times = 0; times < rounds; times += 1) {
            round += 1
            await t.test(`round ${round}`, async (t) => {
              await play(t, { page, origin, siteId }, { what, act, isInPage, round })
              await page.goto('about:blank')
              await clean({ page, origin, siteId }, placesOf(round))
            })
          }
        })
  t.strictSame(
    errors.filter((error) => !/status of 404/.test(error)),
    [],
  )
}
