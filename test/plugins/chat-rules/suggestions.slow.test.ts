import t, { type Test } from 'tap'
import { planByRules } from '../../../plugins/chat-rules/plan-by-rules.ts'
import { destructiveReasons } from '../../../plugins/chat/pipeline/gate.ts'
import { type OpenQuestion, suggestionsIn } from '../../../plugins/chat/types/plan.ts'
import type { PlanningInput } from '../../../plugins/chat/types/planner.ts'
import { applyBatch } from '../../../plugins/content/batch.ts'
import { parseManifest } from '../../../plugins/content/manifest.ts'
import type { Block, Manifest, Page } from '../../../plugins/content/model.ts'
import { builtinRegistry as registry } from '../../../plugins/content/registry.ts'
import { kayakPages } from '../../fixtures/chat/site.ts'
import { answer, clicked, inputAfter, inputFor, planFor } from '../../helpers/chat-rules.ts'
import { draftOf } from '../../helpers/content.ts'
import fc from '../../helpers/property.ts'

// Sites with names that resemble commands -------------------------------------------------------------------------------

const sample = 'A new beginning'
const ownTypes = ['Hero section', 'Hero', 'Card grid', 'FAQ', 'Headline', 'Title of the hero', 'Headline of the hero', 'The headline', 'Section to the', 'Hero banner', 'Last', 'Page', 'The', 'Say "hi"', 'Price list', 'Section', 'Rich text and more', 'first']
const names = [
  sample, 'Hero', 'Hero section', 'The hero section', 'FAQ section', 'Page', 'Page title', 'Meta description', 'Headline', 'Section', 'To the top', 'and', 'Stats', 'Stats section',
  'Move', 'Headline of the hero section', 'The headline of the hero section', 'Headline of', 'Of the hero section', 'Description to', 'The page title to', 'Title', 'The first card grid section', 'Link', 'Menu', '"Quoted"', 'a FAQ', 'Home', 'Page called', 'Page called "A new beginning"', '', 'Team',
]
const slugs = ['/', '/team', '/hero-section', '/a-new-beginning', '/page', '/title']
const name = fc.constantFrom(...names)

const declaredField = fc.record({ name: fc.constantFrom('heading', 'title', 'text', 'tagline'), label: name, longest: fc.constantFrom(undefined, 5, 80) })
const declaredType = fc.record({ displayName: fc.constantFrom(...ownTypes), fields: fc.uniqueArray(declaredField, { minLength: 1, maxLength: 2, selector: (field) => field.name }) })

/** A manifest with own block types and optionally some built-in ones, or none. */
const manifest: fc.Arbitrary<Manifest | undefined> = fc.option(fc.tuple(fc.array(declaredType, { minLength: 1, maxLength: 4 }), fc.subarray(['Hero', 'CTA', 'RichText'])), { nil: undefined }).map((generated) => {
  if (!generated) return undefined
  const [own, usual] = generated
  const blocks = own.map(({ displayName, fields }, index) => ({
    type: `Own${index}`, displayName,
    propsSchema: { type: 'object', properties: Object.fromEntries(fields.map((field) => [field.name, { type: 'string', ...(field.longest !== undefined && { maxLength: field.longest }) }])) },
    fields: Object.fromEntries(fields.map((field) => [field.name, { kind: 'text', ...(field.label !== '' && { label: field.label }) }])),
  }))
  const more = usual.map((type) => ({ type, propsSchema: registry.get(type)?.propsSchema ?? {}, defaultProps: registry.get(type)?.starter() ?? {} }))
  const verdict = parseManifest({ version: 1, blocks: [...blocks, ...more] }, registry)
  if (!verdict.ok) throw new Error(`${verdict.path}: ${verdict.problem}`)
  return verdict.manifest
})

const builtin = ['Hero', 'RichText', 'CardGrid', 'FAQAccordion', 'Testimonials', 'Stats', 'CTA', 'Quote', 'SiteHeader', 'Footer', 'Banner', 'Tabs']

function blocksOf(place: number): fc.Arbitrary<readonly Block[]> {
  const block = fc.record({ type: fc.constantFrom(...builtin, 'Own0', 'Own1', 'Own2'), text: name, label: name })
  return fc.array(block, { maxLength: 6 }).map((generated) => generated.map(({ type, text, label }, index) => {
    const starter = registry.get(type)?.starter() ?? {}
    const named = Object.fromEntries(['heading', 'title', 'text', 'quote'].filter((field) => field in starter || type.startsWith('Own')).map((field) => [field, text]))
    const rows = Object.fromEntries(Object.entries(starter).flatMap(([field, list]) => (Array.isArray(list) ? [[field, list.map((row: object) => ({ ...row, title: label, q: label }))]] : [])))
    return { id: `b_${place}_${index}`, type, props: { ...starter, ...rows, ...named } }
  }))
}

const page = (slug: string, place: number): fc.Arbitrary<Page> => fc.record({ title: name, blocks: blocksOf(place), description: fc.constantFrom(undefined, 'Old', sample) })
  .map(({ title, blocks, description }) => ({
    id: `p_${place}`, slug, title: title || 'Untitled', updatedAt: '2026-01-01T00:00:00.000Z', blocks, ...(description !== undefined && { meta: { description } }),
  }))

const pages = fc.shuffledSubarray(slugs.slice(1), { maxLength: 3 }).chain((others) => fc.tuple(...['/', ...others].map(page)))

const requests = [
  'Delete the first section', 'Delete the last section', 'Move the last section to the top', 'Add a hero', 'Add a FAQ', 'Add a CTA and a stats section', 'Duplicate the first section', `Create a page called "${sample}"`,
  'Create a page called "Team work"', `Change the page title to "${sample}"`, 'Change the page title to "Something else"', `Set the meta description to "${sample}"`, 'Set the meta description to "Something else"',
  `Change the headline to "${sample}"`, 'Change the title to "Something else"', 'Add a banner saying "Hi" at the top', 'Rename this page to "Elsewhere"', 'Remove all sections', `Rename the site to "${sample}"`,
  'Delete the hero', 'help', 'Make it friendlier',
  'Seite umbenennen in "Anderswo"', 'Füge einen Hero hinzu', 'Lösche den ersten Abschnitt',
]

const scenes = fc.record({
  pages, manifest, message: fc.constantFrom(...requests), locale: fc.constantFrom('en', 'de'), page: fc.nat(), block: fc.option(fc.nat(), { nil: undefined }), isPlanFirst: fc.boolean(),
}).map((generated): PlanningInput => {
  const at = generated.pages[generated.page % generated.pages.length] ?? generated.pages[0]
  const blockId = generated.block === undefined ? undefined : at?.blocks[generated.block % Math.max(1, at.blocks.length)]?.id
  return { siteId: 'site', message: generated.message, locale: generated.locale, isPlanFirst: generated.isPlanFirst, registry, manifest: generated.manifest, draft: { version: 1, pages: generated.pages, config: {} }, selection: { slug: at?.slug ?? '/', blockId } }
})

/** Checks that a suggestion is a short label, can be planned, and writes only the requested text. */
function checkSuggestion(input: PlanningInput, suggestion: string, open?: OpenQuestion): void {
  const done = clicked(input, suggestion, open)
  const details = `${suggestion} on ${input.selection.slug}: ${JSON.stringify(done?.ops)}`
  if (suggestion.length > 40) throw new Error(`long: ${details}`)
  if (!done || done.ops.length === 0) throw new Error(`not understood: ${details}`)
  const [verb = ''] = /Rewrite|Change|Create|Add|Move|Ändere|Erstelle|Füge|Verschiebe/.exec(suggestion) ?? []
  const kinds = opsOf[verb]
  if (open) return
  if (!kinds || done.ops.some(({ op }) => !kinds.includes(op))) throw new Error(`other operations: ${details}`)
  if (done.isAsked !== asksForText.has(verb)) throw new Error(`asked or not: ${details}`)
  if (done.isAsked && !JSON.stringify(done.ops).includes(answer)) throw new Error(`another text: ${details}`)
}

const asksForText: ReadonlySet<string> = new Set(['Rewrite', 'Change', 'Create', 'Ändere', 'Erstelle'])
const texts = ['update_props', 'update_page_meta', 'rename_page']
const opsOf: Readonly<Record<string, readonly string[]>> = {
  Rewrite: texts, Change: texts, Ändere: texts, Create: ['create_page'], Erstelle: ['create_page'],
  Add: ['add_block', 'move_block'], Füge: ['add_block', 'move_block'], // A page may have the name of a section.
  Move: ['move_block', 'move_page'], Verschiebe: ['move_block', 'move_page'],
}

t.test('suggestions are short labels that do what they say, before or after the plan, and write no unrequested text', (t) => {
  let count = 0
  fc.assert(fc.property(scenes, (scene) => {
    let input = scene
    for (let turn = 0; turn < 3; turn += 1) {
      const outcome = planByRules(input)
      if (outcome.kind === 'unchanged') return
      const { suggestions = [] } = outcome.kind === 'plan' ? outcome.plan : outcome
      const later = outcome.kind === 'plan' ? inputAfter(input, outcome.plan.ops) : undefined
      const isPending = outcome.kind !== 'plan' || input.isPlanFirst || destructiveReasons(outcome.plan.ops, input.draft.pages).length > 0
      for (const suggestion of suggestions) {
        count += 1
        if (isPending) checkSuggestion(input, suggestion, outcome.kind === 'question' ? outcome.open : undefined)
        if (later) checkSuggestion(later, suggestion)
      }
      const [next] = suggestions
      if (!later || next === undefined) return
      input = { ...later, message: next }
    }
  }), { numRuns: 150 })
  t.ok(count > 500, `${count} suggestions`)
  t.end()
})

/** A site with a block of its own type above two others. */
function siteWith(displayName: string, label?: string): PlanningInput {
  const properties = { heading: { type: 'string' } }
  const verdict = parseManifest({ version: 1, blocks: [{ type: 'Own', displayName, propsSchema: { type: 'object', properties } }, { type: 'Plain', displayName: 'Notice wall', propsSchema: { type: 'object', properties }, ...(label !== undefined && { fields: { heading: { kind: 'text', label } } }) }] }, registry)
  if (!verdict.ok) throw new Error(verdict.problem)
  const blocks = ['Own', 'Plain', 'Plain'].map((type, index) => ({ id: `b_${index}`, type, props: { heading: `Number ${index}` } }))
  const draft = { version: 1, pages: [{ id: 'p_home', slug: '/', title: 'Home', updatedAt: '2026-01-01T00:00:00.000Z', blocks }], config: {} }
  return { siteId: 'site', message: 'Set the meta description to "Hello"', locale: 'en', registry, manifest: verdict.manifest, draft, selection: { slug: '/' } }
}

/** Checks that follow-ups that name a block edit that block, whatever the names of types and fields. */
function checkFollowUps(t: Test, input: PlanningInput, name: string): void {
  const outcome = planByRules(input)
  if (outcome.kind !== 'plan') return void t.fail(name)
  const later = inputAfter(input, outcome.plan.ops)
  for (const suggestion of outcome.plan.suggestions ?? []) {
    t.doesNotThrow(() => checkSuggestion(later, suggestion), `${name}: ${suggestion}`)
    if (suggestion === `Rewrite the ${name.toLowerCase()} headline`) t.match(clicked(later, suggestion), { ops: [{ op: 'update_props', blockId: 'b_0', patch: { heading: answer } }] }, suggestion)
  }
}

t.test('suggestions work for types named like words of requests', (t) => {
  for (const displayName of ['Team wall', 'First', 'Text and image', 'Notice wall', 'Notice wall section', 'Notice', 'Say "hi"']) checkFollowUps(t, siteWith(displayName), displayName)
  t.end()
})

t.test('suggestions work for field labels made of names on the site', (t) => {
  for (const label of ['Team wall headline', 'Wall headline', 'The team', 'Headline', 'Headline of the team wall', 'Heading']) checkFollowUps(t, siteWith('Team wall', label), 'Team wall')
  t.end()
})

t.test('after a text was set, other texts of the same block are suggested first', (t) => {
  const blocks = ['Banner', 'Hero', 'CTA'].map((type) => ({ id: `b_${type.toLowerCase()}`, type, props: registry.get(type)?.starter() ?? {} }))
  const draft = { version: 1, pages: [{ id: 'p_home', slug: '/', title: 'Home', updatedAt: '2026-01-01T00:00:00.000Z', blocks }], config: {} }
  const suggestionsAfter = (message: string, locale = 'en'): readonly string[] => {
    const outcome = planByRules({ siteId: 'site', message, locale, registry, draft, selection: { slug: '/' } })
    return outcome.kind === 'plan' ? (outcome.plan.suggestions ?? []) : []
  }
  const cases: readonly (readonly [message: string, wanted: readonly RegExp[], locale?: string])[] = [
    ['Change the hero heading to "Boats"', [/^Rewrite the hero subheading$/, /^Rewrite the hero /, /^Add /]],
    ['Change the hero button text to "Rent"', [/^Rewrite the hero headline$/, /^Rewrite the hero subheading$/, /^Add /]],
    ['Ändere die Überschrift im Hero in "Boote"', [/^Ändere .* Hero-/, /Hero-/, /^Füge /], 'de'],
    ['Move the hero to the end', [/banner/, /CTA/, /^Add /]],
  ]
  for (const [message, wanted, locale] of cases) t.match(suggestionsAfter(message, locale), wanted, message)
  t.notMatch(suggestionsAfter('Change the hero heading to "Boats"').join(), /hero headline/)
  t.end()
})

/** Restrictions: a public demo, or a site without structural edits. */
const locks: readonly (readonly [name: string, more: Partial<PlanningInput>, least: number])[] = [
  ['the usual demo', { playground: { ops: new Set(['update_props']), blockTypes: new Set(['Hero']) } }, 4],
  ['a demo with rows and search texts', { playground: { ops: new Set(['update_props', 'update_item', 'update_page_meta']), blockTypes: new Set(['CardGrid', 'Testimonials', 'RichText']) } }, 3],
  ['a demo where sections may be added', { playground: { ops: new Set(['add_block', 'move_block']), blockTypes: new Set(['Hero', 'Stats']) } }, 1],
  ['a site without structural edits', { allowStructuralEdits: false }, 4],
]

t.test('suggestions respect the restrictions of a demo and a site', (t) => {
  const messages = ['', 'help', 'What can I change?', 'Remove the second section', 'Change the heading', 'Set the hero heading to "Boats"', 'Set the meta description to "Boats"', 'Create a page called "Boats"', 'Lösche den zweiten Abschnitt', 'Hilfe']
  for (const [name, more, least] of locks) {
    for (const message of messages) {
      for (const at of ['/', '/rentals', '/about']) {
        const outcome = planFor(at, message, more)
        const suggestions = outcome.kind === 'plan' ? (outcome.plan.suggestions ?? []) : suggestionsIn(outcome)
        for (const suggestion of suggestions) {
          const { ops = [] } = clicked(inputFor(at, '', more), suggestion, outcome.kind === 'question' ? outcome.open : undefined) ?? {}
          t.ok(ops.length > 0, `${name}, ${at}, ${message}: ${suggestion} is understood`)
          const { playground, allowStructuralEdits = true } = more
          const tried = applyBatch(draftOf(kayakPages), ops, { source: 'planner', registry, now: new Date(0), playground, capabilities: { allowStructuralEdits } })
          t.ok(tried.ok, `${name}, ${at}, ${message}: ${suggestion}`)
        }
        if (message === '') t.ok(suggestions.length >= least, `${name}, ${at}: ${suggestions.join('; ')}`)
      }
    }
  }
  t.end()
})

t.test('on a locked page, texts of other pages are suggested', (t) => {
  const { pages: [home, ...others] } = inputFor('/', '').draft
  if (!home) throw new Error('the site has a home page')
  const team = { ...home, id: 'p_team', slug: '/team', title: 'Team', blocks: home.blocks.filter(({ type }) => type !== 'Hero') }
  const input = (message: string): PlanningInput => ({ ...inputFor('/team', message), draft: { version: 1, pages: [home, ...others, team], config: {} }, ...locks[0]?.[1] })
  const wanted = ['Rewrite the hero headline on /', 'Rewrite the hero headline on /rentals', 'Rewrite the hero headline on /about']
  t.same(suggestionsIn(planByRules(input(''))), wanted)
  t.match(clicked(input(''), wanted[0] ?? ''), { isAsked: true, ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_hero_1', patch: { heading: answer } }] })
  t.end()
})

t.test('suggestions of editors are planned directly or after one answer', (t) => {
  const rewritten = (patch: object) => ({ isAsked: true, ops: [{ op: 'update_props', blockId: 'b_hero_1', patch }] })
  const cases: readonly (readonly [message: string, wanted: object, locale?: string])[] = [
    ['Rewrite the hero headline', rewritten({ heading: answer })],
    ['Rewrite the hero button text', rewritten({ ctaText: answer })],
    ['Rewrite the meta description', { isAsked: true, ops: [{ op: 'update_page_meta', patch: { description: answer } }] }],
    ['Change the page title', { isAsked: true, ops: [{ op: 'rename_page', newTitle: answer }] }],
    ['Create a new page', { isAsked: true, ops: [{ op: 'create_page', page: { title: answer } }] }],
    ['Create a new /contact page', { isAsked: false, ops: [{ op: 'create_page', page: { slug: '/contact', title: 'Contact' } }] }],
    ['Add a testimonials section', { isAsked: false, ops: [{ op: 'add_block', block: { type: 'Testimonials' } }] }],
    ['Ändere die Hero-Überschrift', rewritten({ heading: answer }), 'de'],
    ['Ändere den Seitentitel', { isAsked: true, ops: [{ op: 'rename_page', newTitle: answer }] }, 'de'],
    ['Ändere die Meta-Beschreibung', { isAsked: true, ops: [{ op: 'update_page_meta', patch: { description: answer } }] }, 'de'],
    ['Erstelle eine neue Seite /kontakt', { isAsked: false, ops: [{ op: 'create_page', page: { slug: '/kontakt' } }] }, 'de'],
  ]
  for (const [message, wanted, locale = 'en'] of cases) t.match(clicked(inputFor('/', '', { locale }), message), wanted, message)
  t.match(planFor('/', 'Create a new /about page'), { kind: 'question', question: /^There is a page \/about/ }, 'which exists already')
  t.end()
})
