import t from 'tap'
import { textsFor as modelTextsFor } from '../../../plugins/chat-model/texts.ts'
import { imageTextsIn } from '../../../plugins/chat-images/texts.ts'
import { changeLine, changeLines } from '../../../plugins/chat/texts/changes.ts'
import { textsIn } from '../../../plugins/chat/texts/index.ts'
import type { DestructiveReason } from '../../../plugins/chat/types/plan.ts'
import type { BlockTypeInput } from '../../../plugins/content/model.ts'
import { definitions, type Operation } from '../../../plugins/content/operations/index.ts'
import { createRegistry } from '../../../plugins/content/registry.ts'
import { opsOf } from '../../helpers/chat.ts'
import { pageOf } from '../../helpers/content.ts'

const at = { pageSlug: '/a', blockId: 'b' }
const row = { ...at, listKey: 'cards' }
const block = { id: 'b', type: 'Hero', props: {} }

/** One of each kind, and more where omitted fields change the line. */
const table: readonly (readonly [op: object, done: string, planned: string, german: string])[] = [
  [{ op: 'create_page', page: { slug: '/a', title: 'A' } }, 'Created page “A” at /a', 'Create page “A” at /a', 'Seite „A“ unter /a angelegt'],
  [{ op: 'create_page', page: { slug: '/a' } }, 'Created page “/a” at /a', 'Create page “/a” at /a', 'Seite „/a“ unter /a angelegt'],
  [{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/b', newTitle: 'B' }, 'Renamed page /a to /b, “B”', 'Rename page /a to /b, “B”', 'Seite /a umbenannt: /b, „B“'],
  [{ op: 'rename_page', pageSlug: '/a', newTitle: 'B' }, 'Renamed page /a to “B”', 'Rename page /a to “B”', 'Seite /a umbenannt: „B“'],
  [{ op: 'remove_page', pageSlug: '/a' }, 'Removed page /a', 'Remove page /a', 'Seite /a entfernt'],
  [{ op: 'move_page', pageSlug: '/a', afterPageSlug: '/b' }, 'Moved page /a after /b', 'Move page /a after /b', 'Seite /a hinter /b verschoben'],
  [{ op: 'move_page', pageSlug: '/a' }, 'Moved page /a', 'Move page /a', 'Seite /a verschoben'],
  [{ op: 'duplicate_page', pageSlug: '/a', newPageSlug: '/b' }, 'Duplicated page /a as /b', 'Duplicate page /a as /b', 'Seite /a nach /b kopiert'],
  [{ op: 'duplicate_page', pageSlug: '/a' }, 'Duplicated page /a', 'Duplicate page /a', 'Seite /a kopiert'],
  [{ op: 'update_page_meta', pageSlug: '/a', patch: { title: 'T' } }, 'Changed the search engine texts of /a: title to “T”', 'Change the search engine texts of /a: title to “T”', 'Angaben für Suchmaschinen auf /a geändert: Titel „T“'],
  [{ op: 'update_site_config', patch: { name: 'N', navLabels: {} } }, 'Changed the site settings: name to “N”, names in the menu', 'Change the site settings: name to “N”, names in the menu', 'Einstellungen der Website geändert: Name „N“, Namen im Menü'],
  [{ op: 'add_block', pageSlug: '/a', block }, 'Added Hero to /a', 'Add Hero to /a', 'Hero auf /a hinzugefügt'],
  [{ op: 'update_props', ...at, patch: { heading: null, level: 2, wide: true } }, 'Changed Hero on /a: no heading, level to “2”, wide to “true”', 'Change Hero on /a: no heading, level to “2”, wide to “true”', 'Hero auf /a geändert: ohne heading, level „2“, wide „true“'],
  [{ op: 'update_props', ...at, patch: { heading: `${'x'.repeat(80)}y` } }, `Changed Hero on /a: heading to “${'x'.repeat(80)}…”`, `Change Hero on /a: heading to “${'x'.repeat(80)}…”`, `Hero auf /a geändert: heading „${'x'.repeat(80)}…“`],
  [{ op: 'remove_block', ...at }, 'Removed Hero on /a', 'Remove Hero on /a', 'Hero auf /a entfernt'],
  [{ op: 'move_block', ...at }, 'Moved Hero on /a', 'Move Hero on /a', 'Hero auf /a verschoben'],
  [{ op: 'duplicate_block', ...at, toPageSlug: '/b' }, 'Duplicated Hero on /a to /b', 'Duplicate Hero on /a to /b', 'Hero auf /a nach /b kopiert'],
  [{ op: 'duplicate_block', ...at, toPageSlug: '/a' }, 'Duplicated Hero on /a', 'Duplicate Hero on /a', 'Hero auf /a kopiert'],
  [{ op: 'add_item', ...row, item: {} }, 'Added a row to cards of Hero on /a', 'Add a row to cards of Hero on /a', 'Zeile in cards von Hero auf /a hinzugefügt'],
  [{ op: 'update_item', ...row, index: 0, patch: { title: 'T' } }, 'Changed row 1 in cards of Hero on /a: title to “T”', 'Change row 1 in cards of Hero on /a: title to “T”', 'Zeile 1 in cards von Hero auf /a geändert: title „T“'],
  [{ op: 'remove_item', ...row, index: 1 }, 'Removed row 2 in cards of Hero on /a', 'Remove row 2 in cards of Hero on /a', 'Zeile 2 in cards von Hero auf /a entfernt'],
  [{ op: 'move_item', ...row, index: 1 }, 'Moved row 2 in cards of Hero on /a', 'Move row 2 in cards of Hero on /a', 'Zeile 2 in cards von Hero auf /a verschoben'],
]

t.test('every operation has a line in both tenses', async (t) => {
  const ops = table.map(([op]) => opsOf(op)[0]).filter((op): op is Operation => op !== undefined)
  t.same(new Set(ops.map(({ op }) => op)), new Set(definitions.map(({ name }) => name)), 'the table covers all operations')
  for (const [index, op] of ops.entries()) {
    const [, done, planned, german] = table[index] ?? []
    const line = (locale: string, tense: 'done' | 'planned') => changeLine(op, tense, { block: 'Hero', field: (name) => name }, textsIn(locale))
    t.same([line('en', 'done'), line('fr', 'planned'), line('de', 'done')], [done, planned, german])
    t.match(line('de-CH', 'planned'), / (?:anlegen|umbenennen|entfernen|verschieben|kopieren|ändern|hinzufügen)(?::|$)/)
  }
})

const plate: BlockTypeInput = {
  type: 'NamePlate',
  propsSchema: { type: 'object' },
  meta: { displayName: 'Name plate', fields: { seo: { kind: 'text', label: 'SEO line' }, heading: { kind: 'text', label: 'Heading' }, rows: { kind: 'list', label: 'Lines', itemFields: { t: { kind: 'text', label: 'Line text' } } } } },
}

/** A built-in block type that the site redeclares with its own name, label and field. */
const banner: BlockTypeInput = {
  type: 'Banner',
  propsSchema: { type: 'object' },
  meta: { displayName: 'Notice', description: 'A coloured strip with a short announcement. Its own colours override those of the variant.', fields: { text: { kind: 'text', label: 'Words' }, ctaText: { kind: 'text', label: 'Button text' }, ogTitle: { kind: 'text', label: 'Title' }, ctaHref: { kind: 'list', label: 'Button link', itemFields: { to: { kind: 'url', label: 'Link' } } }, variant: { kind: 'list', label: 'Variant', discriminator: 'kind', itemFieldsByType: { a: { to: { kind: 'text', label: 'Title' } } } } } },
}

/** What an operation on a block is called; `b1` is a Hero, `b2` a grid of cards, `b3` and `b5` of types that the site declares, `b4` of none, `b6` has rows of several kinds. */
const named: readonly (readonly [op: object, line: string])[] = [
  [{ op: 'update_props', pageSlug: '/a', blockId: 'b1', patch: { ctaText: 'Go', own: 'x' } }, 'Changed Hero on /a: button text to “Go”, own to “x”'],
  [{ op: 'update_props', pageSlug: '/a', blockId: 'b1', patch: { heading: null, secondaryCtaHref: '/b' } }, 'Changed Hero on /a: no heading, second button link to “/b”'],
  [{ op: 'update_item', pageSlug: '/a', blockId: 'b2', listKey: 'cards', index: 0, patch: { ctaText: 'Go' } }, 'Changed row 1 in cards of Card Grid on /a: button text to “Go”'],
  [{ op: 'update_item', pageSlug: '/a', blockId: 'b6', listKey: 'left', index: 0, patch: { alt: 'x' } }, 'Changed row 1 in left of Two Column on /a: image description to “x”'],
  [{ op: 'update_props', pageSlug: '/a', blockId: 'b3', patch: { seo: 'x', heading: 'y' } }, 'Changed Name plate on /a: SEO line to “x”, heading to “y”'],
  [{ op: 'update_item', pageSlug: '/a', blockId: 'b3', listKey: 'rows', index: 0, patch: { t: 'x' } }, 'Changed row 1 in lines of Name plate on /a: line text to “x”'],
  [{ op: 'update_props', pageSlug: '/a', blockId: 'b5', patch: { text: 'x', ctaText: 'Go', ogTitle: 'y' } }, 'Changed Notice on /a: words to “x”, button text to “Go”, title to “y”'],
  [{ op: 'update_item', pageSlug: '/a', blockId: 'b5', listKey: 'ctaHref', index: 0, patch: { to: '/b' } }, 'Changed row 1 in button link of Notice on /a: link to “/b”'],
  [{ op: 'update_item', pageSlug: '/a', blockId: 'b5', listKey: 'variant', index: 0, patch: { to: 'x' } }, 'Changed row 1 in variant of Notice on /a: title to “x”'],
  [{ op: 'update_props', pageSlug: '/a', blockId: 'b4', patch: { someText: 'x' } }, 'Changed Unknown on /a: someText to “x”'],
  [{ op: 'update_item', pageSlug: '/a', blockId: 'b4', listKey: 'rows', index: 0, patch: { t: 'x' } }, 'Changed row 1 in rows of Unknown on /a: t to “x”'],
  [{ op: 'add_block', pageSlug: '/a', block: { id: 'b7', type: 'FAQAccordion', props: {} } }, 'Added FAQ Accordion to /a'],
  [{ op: 'remove_block', pageSlug: '/a', blockId: 'gone' }, 'Removed block on /a'],
]

t.test('blocks and fields have display names, those of the site where it declares them', async (t) => {
  const blocks = ['Hero', 'CardGrid', 'NamePlate', 'Unknown', 'Banner', 'TwoColumn'].map((type, index) => ({ id: `b${index + 1}`, type, props: {} }))
  const source = { locale: 'en', manifest: createRegistry([plate, banner]) }
  for (const [raw, expected] of named) t.same(changeLines(opsOf(raw), 'done', source, [pageOf('/a', blocks)]), [expected])
})

t.test('a block is named before the operation that adds it is applied', (t) => {
  const ops = opsOf({ op: 'add_block', pageSlug: '/a', block }, { op: 'move_block', ...at })
  t.strictSame(changeLines(ops, 'planned', { locale: 'en', manifest: undefined }, [pageOf('/a', [])]), ['Add Hero to /a', 'Move Hero on /a'])
  t.end()
})

const reasons: readonly DestructiveReason[] = [
  { kind: 'remove_page', slug: '/a', title: 'Title', blockCount: 1 },
  { kind: 'multi_page_plan', slugs: Array.from({ length: 11 }, (_, index) => `/p${index}`) },
  { kind: 'bulk_remove_blocks', count: 7 },
  { kind: 'majority_page_wipe', slug: '/a', removing: 5, total: 9 },
]

t.test('each language has all sentences', async (t) => {
  const tables = ['en', 'de'].map((locale) => {
    const texts = textsIn(locale)
    return {
      reasons: reasons.map((reason) => texts.reason(reason)),
      rest: [
        texts.applied(['a', 'b']), texts.unchanged(), texts.waits(), texts.note({ kind: 'references', type: 'Hero' }),
        texts.note({ kind: 'unknown_props', type: 'Hero' }), texts.discarded(true), texts.discarded(false), texts.nothingPending(),
        texts.mismatched(), texts.unsupportedAlone(), texts.unsupported(), texts.blockedStructure(['add_block']), texts.blockTypes(),
        texts.blockedDemo(), texts.invalid(), texts.invalidApproved(true), texts.invalidApproved(false), texts.approvalFailed(),
        texts.provider({}), ...(['later', 'wait', 'smaller', 'operator'] as const).map((remedy) => texts.provider({ provider: 'Acme', remedy })), texts.refused(), texts.incomplete(), texts.unusable(),
        texts.budget(), texts.note({ kind: 'descriptions', type: 'Hero' }), ...texts.refine('Heading', 'Hero'),
        texts.demoAllows(['update_props'], ['Hero']), texts.unapplied('moving'), texts.unapplied('too_large'), texts.unapplied('unfit'),
        texts.broken('no_plan'), texts.broken('broke_off'),
      ],
    }
  })
  const [en, de] = tables
  if (!en || !de) throw new Error('there are two languages')
  for (const [index, sentence] of en.rest.entries()) {
    t.match(sentence, /^[A-Z].*[.\w]$/)
    t.match(de.rest[index], /^[A-ZÄÖÜ\d].*[.\w]$/)
    t.not(sentence, de.rest[index])
  }
  const names = [/“Title” \(\/a\) with 1 block\./, /11 pages: .*\/p9, …\./, /7 blocks/, /5 of the 9 blocks on \/a/]
  const german = [/„Title“ \(\/a\) mit 1 Block\./, /11 Seiten: .*\/p9, …\./, /7 Blöcke/, /5 von 9 Blöcken auf \/a/]
  t.match(en.reasons, names, 'what is removed is named')
  t.match(de.reasons, german)
  for (const { rest } of [en, de]) t.equal(rest.filter((text) => text.startsWith('Acme')).length, 4)
})

t.test('a locale selects the language of its prefix in every table of texts', (t) => {
  for (const textsOf of [textsIn, modelTextsFor, imageTextsIn]) {
    for (const locale of ['de', 'DE', 'de-AT', 'de_CH']) t.equal(textsOf(locale), textsOf('de'), locale)
    for (const locale of ['en', 'en-GB', 'fr', 'den', '', 'constructor', '__proto__']) t.equal(textsOf(locale), textsOf('en'), locale)
    t.not(textsOf('de'), textsOf('en'))
  }
  t.end()
})
