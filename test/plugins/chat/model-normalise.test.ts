import fc, { costlyRuns } from '../../helpers/property.ts'
import t from 'tap'
import {
  readJson,
  normalised,
  contextFor as contextIn,
  readPlan,
  rows,
  type Loose,
  operationName,
  type RowContext,
  typeName,
  wordsOf,
} from '../../../plugins/chat/model/testing.ts'
import { applyBatch } from '../../../plugins/content/batch.ts'
import { withoutGeneratedItemIds } from '../../../plugins/content/items.ts'
import type { Draft } from '../../../plugins/content/model.ts'
import { operations, type Operation } from '../../../plugins/content/operations/index.ts'
import { parseOperations } from '../../../plugins/content/operations/parse.ts'
import { builtinRegistry as registry } from '../../../plugins/content/registry.ts'
import {
  changed,
  contentOf,
  drafts,
  operationFor,
  pageOf,
  pagesOf,
  siteManifest as manifest,
} from '../../helpers/content.ts'
import { emptyList } from '../../helpers/plain.ts'

const now = new Date('2026-01-01T12:00:00.000Z')
const cta = { title: 'T', description: 'D', ctaText: 'Go', ctaHref: '/' }
const questions = [
  { q: 'One?', a: 'Yes' },
  { q: 'Two?', a: 'No' },
]
const pages = [
  pageOf('/', [
    {
      id: 'b_hero_1',
      type: 'Hero',
      props: {
        heading: 'H',
        subheading: 'S',
        ctaText: 'Go',
        ctaHref: '/',
        imageUrl: '/a.png',
        imageAlt: 'A',
      },
    },
    { id: 'b_faq_1', type: 'FAQAccordion', props: { title: 'Questions', items: questions } },
    { id: 'b_cta_1', type: 'CTA', props: cta },
  ]),
  pageOf('/about', [{ id: 'b_cta_2', type: 'CTA', props: cta }]),
]

/** The context of operations for a message about the home page of a site that creates /new and b_given. */
function contextFor(message = '', ofSite = false): RowContext {
  const draft = { version: 1, pages, config: {} }
  const input = { draft, selection: { slug: '/' }, registry, ...(ofSite && { manifest }) }
  const context = contextIn({ input, words: wordsOf(message), now })
  context.freeId('b_given')
  context.created.add('/new')
  return context
}

/** By correction, lines of `OPERATION => RESULT -- MESSAGE`; an operation without a result stays as it is. */
const table = String.raw`
null in place of a field that is left out
  {"op":"add_item","afterIndex":null} => {"op":"add_item"}
  {"op":"update_props","patch":{"eyebrow":null}}
the name of an operation in another spelling, under another key, or as the only key
  {"op":"updateProps","x":1} => {"op":"update_props","x":1}
  {"op":"delete-block"} => {"op":"remove_block"}
  {"action":"clone","blockId":"b"} => {"op":"duplicate_block","blockId":"b"}
  {"add_block":{"pageSlug":"/"}} => {"op":"add_block","pageSlug":"/"}
  {"op":"fetch_url","action":"add"}
  {"op":"update_props","kind":"update"}
the path of a row
  {"op":"update_item","itemPath":"items[2].q","value":"x"} => {"op":"update_item","listKey":"items","index":2,"patch":{"q":"x"}}
  {"op":"remove_item","path":"items[0]"} => {"op":"remove_item","listKey":"items","index":0}
  {"op":"rename_page","path":"/about"}
keys in another spelling
  {"op":"move_item","page_slug":"/","block_id":"b","array_key":"items","from_index":0,"to_index":1} => {"op":"move_item","pageSlug":"/","blockId":"b","listKey":"items","index":0,"afterIndex":1}
  {"op":"update_props","target_block_id":"b","changes":{"heading":"x"}} => {"op":"update_props","blockId":"b","patch":{"heading":"x"}}
  {"op":"rename_page","from":"/a","to":"/b"} => {"op":"rename_page","pageSlug":"/a","newPageSlug":"/b"}
  {"op":"add_item","value":{"q":"x"},"after_index":1} => {"op":"add_item","item":{"q":"x"},"afterIndex":1}
  {"op":"update_props","pageSlug":"/","blockId":"b","title":"x"}
  {"op":"move_page","pageSlug":"/about"}
a position as text
  {"op":"move_item","index":"2","afterIndex":"0.9"} => {"op":"move_item","index":2,"afterIndex":0}
  {"op":"move_item","index":"last"}
  {"op":"move_item","index":2}
new values outside of their patch
  {"op":"update_props","pageSlug":"/","blockId":"b","heading":"x","patch":{"eyebrow":"y"}} => {"op":"update_props","pageSlug":"/","blockId":"b","patch":{"heading":"x","eyebrow":"y"}}
  {"op":"update_page_meta","pageSlug":"/","title":"x"} => {"op":"update_page_meta","pageSlug":"/","patch":{"title":"x"}}
  {"op":"update_site_config","logo":"/l.png"} => {"op":"update_site_config","patch":{"logo":"/l.png"}}
  {"op":"update_props","pageSlug":"/","blockId":"b","patch":{"heading":"x"}}
  {"op":"remove_block","pageSlug":"/","blockId":"b","heading":"x"}
a page outside of its envelope
  {"op":"create_page","slug":"/x","title":"X","blocks":[]} => {"op":"create_page","page":{"slug":"/x","title":"X","blocks":[]}}
  {"op":"create_page","page":"/x"} => {"op":"create_page","page":{"slug":"/x"}}
  {"op":"create_page","page":{"slug":"/x"}}
a page that exists, with blocks for it
  {"op":"create_page","page":{"blocks":[{"type":"CTA"},{"type":"Hero"}]}} => [{"op":"add_block","pageSlug":"/","block":{"type":"CTA"}},{"op":"add_block","pageSlug":"/","block":{"type":"Hero"}}]
  {"op":"create_page","page":{"slug":"/x","blocks":[{"type":"CTA"}]}}
  {"op":"create_page","page":{"slug":"/about","blocks":[{"type":"CTA"}]}}
a block outside of its envelope
  {"op":"add_block","type":"faq","props":{"title":"x"},"id":"b_new"} => {"op":"add_block","type":"faq","props":{"title":"x"},"id":"b_new","block":{"type":"faq","props":{"title":"x"},"id":"b_new"}}
  {"op":"add_block","block":"Hero"} => {"op":"add_block","block":{"type":"Hero"}}
  {"op":"add_block","heading":"x"}
a block for a page that is to be created
  {"op":"add_block","pageSlug":"/prices","block":{"type":"CTA"}} => {"op":"create_page","page":{"slug":"/prices","blocks":[{"type":"CTA"}]}} -- Add a new page about prices
  {"op":"add_block","pageSlug":"/prices","block":{"type":"CTA"}} -- Add a button to the prices page
  {"op":"add_block","pageSlug":"/about","block":{"type":"CTA"}} -- Create a page
  {"op":"add_block","pageSlug":"/new","block":{"type":"CTA"}} -- Create a page
the slug of a new page without its slash, or under another name
  {"op":"create_page","page":{"slug":"x","title":"X"}} => {"op":"create_page","page":{"title":"X","slug":"/x"}}
  {"op":"create_page","page":{"path":"/x"}} => {"op":"create_page","page":{"slug":"/x"}}
  {"op":"create_page","page":{"slug":"not an address"}}
the type of a new block under another name, or in a loose spelling
  {"op":"add_block","pageSlug":"/","block":{"blockType":"Hero"}} => {"op":"add_block","pageSlug":"/","block":{"type":"Hero"}}
  {"op":"add_block","pageSlug":"/","block":{"type":"faq section"}} => {"op":"add_block","pageSlug":"/","block":{"type":"FAQAccordion"}}
  {"op":"create_page","page":{"slug":"/x","blocks":[{"type":"hero"},{"type":"CTA"}]}} => {"op":"create_page","page":{"slug":"/x","blocks":[{"type":"Hero"},{"type":"CTA"}]}}
  {"op":"add_block","pageSlug":"/","block":{"type":"Hero","blockType":"CTA"}}
  {"op":"add_block","pageSlug":"/","block":{"type":"Nonsense"}}
props of a new block outside of their envelope
  {"op":"add_block","pageSlug":"/","block":{"type":"CTA","title":"x","heading":"y"}} => {"op":"add_block","pageSlug":"/","block":{"type":"CTA","props":{"title":"x","heading":"y"}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"CTA","props":{},"title":"x"}}
the id of a new block that is missing or used
  {"op":"add_block","pageSlug":"/","block":{"type":"CTA"}} => {"op":"add_block","pageSlug":"/","block":{"type":"CTA","id":"b_cta_1767268800000"}}
  {"op":"add_block","pageSlug":"/","block":{"type":"CTA","id":"b_hero_1"}} => {"op":"add_block","pageSlug":"/","block":{"type":"CTA","id":"b_hero_1_1"}}
  {"op":"add_block","pageSlug":"/","block":{"type":"CTA","id":"b_given"}} => {"op":"add_block","pageSlug":"/","block":{"type":"CTA","id":"b_given_1"}}
  {"op":"add_block","pageSlug":"/","block":{"type":"CTA","id":"b_free"}}
  {"op":"add_block","pageSlug":"/","block":{"id":"b_hero_1"}}
  {"op":"add_block","pageSlug":"/","block":{}}
an update without a block that gives a page a new address
  {"op":"update_props","pageSlug":"/about","patch":{"slug":"/team","title":"Team"}} => {"op":"rename_page","pageSlug":"/about","newPageSlug":"/team","newTitle":"Team"}
  {"op":"update_props","pageSlug":"/about","route":"/team"} => {"op":"rename_page","pageSlug":"/about","newPageSlug":"/team"}
  {"op":"update_props","pageSlug":"/about","blockId":"b","patch":{"slug":"/team"}}
  {"op":"update_props","pageSlug":"/about","patch":{"slug":"/team","heading":"x"}}
the removal of a block without a block, where a page is to go
  {"op":"remove_block","pageSlug":"/about"} => {"op":"remove_page","pageSlug":"/about"} -- Please delete the about page
  {"op":"remove_block","pageSlug":"/about"} -- Delete the hero on the about page
  {"op":"remove_block","pageSlug":"/about"} -- Remove the second card from this page
  {"op":"remove_block","pageSlug":"/about"} -- Put "delete the page" into the heading
  {"op":"remove_block","pageSlug":"/","blockId":"b"} -- Delete this page
a page that is not named, or by its id, as home, or without its slash
  {"op":"update_props","blockId":"b"} => {"op":"update_props","blockId":"b","pageSlug":"/"}
  {"op":"remove_page","pageSlug":"p_about"} => {"op":"remove_page","pageSlug":"/about"}
  {"op":"duplicate_block","pageSlug":"Home","toPageSlug":"about"} => {"op":"duplicate_block","pageSlug":"/","toPageSlug":"/about"}
  {"op":"move_page","pageSlug":"/about"}
  {"op":"update_site_config","patch":{}}
a block that is not named, where only one can be meant
  {"op":"update_props","pageSlug":"/","patch":{"subheading":"x"}} => {"op":"update_props","pageSlug":"/","patch":{"subheading":"x"},"blockId":"b_hero_1"}
  {"op":"remove_block","pageSlug":"/","blockType":"faq"} => {"op":"remove_block","pageSlug":"/","blockId":"b_faq_1"}
  {"op":"update_props","pageSlug":"/","patch":{"ctaText":"x"}}
  {"op":"remove_block","pageSlug":"/"}
  {"op":"update_props","pageSlug":"/","patch":{}}
an update of no block
  {"op":"update_props","pageSlug":"/","patch":{"ctaText":"x"}} => []
  {"op":"remove_block","pageSlug":"/"}
a list that is not named, where the block has only one
  {"op":"add_item","pageSlug":"/","blockId":"b_faq_1","item":{}} => {"op":"add_item","pageSlug":"/","blockId":"b_faq_1","item":{},"listKey":"items"}
  {"op":"add_item","pageSlug":"/","blockId":"b_hero_1","item":{}}
a place before a block
  {"op":"move_block","pageSlug":"/","blockId":"b_hero_1","beforeId":"b_cta_1"} => {"op":"move_block","pageSlug":"/","blockId":"b_hero_1","afterBlockId":"b_faq_1"}
  {"op":"move_block","pageSlug":"/","blockId":"b_cta_1","beforeId":"b_hero_1"} => {"op":"move_block","pageSlug":"/","blockId":"b_cta_1"}
  {"op":"add_block","pageSlug":"/","block":{"id":"b_new"},"beforeId":"b_hero_1"} => [{"op":"add_block","pageSlug":"/","block":{"id":"b_new"}},{"op":"move_block","pageSlug":"/","blockId":"b_new"}]
  {"op":"add_block","pageSlug":"/","block":{"id":"b_new"},"afterBlockId":"b_hero_1"}
a move to the end
  {"op":"move_block","pageSlug":"/","blockId":"b_hero_1"} => {"op":"move_block","pageSlug":"/","blockId":"b_hero_1","afterBlockId":"b_cta_1"} -- move the hero to the bottom
  {"op":"move_block","pageSlug":"/","blockId":"b_hero_1"} -- I recommend to move the hero up
  {"op":"add_block","pageSlug":"/","block":{}} -- add a hero at the end
a new address that is the old one
  {"op":"rename_page","pageSlug":"/about","newPageSlug":"about/"} => []
  {"op":"rename_page","pageSlug":"/about","newPageSlug":"/about","newTitle":"Us"}
  {"op":"rename_page","pageSlug":"/about","newPageSlug":"/team"}
a patch inside of a patch
  {"op":"update_props","pageSlug":"/","blockId":"b_hero_1","patch":{"props":{"heading":"x"}}} => {"op":"update_props","pageSlug":"/","blockId":"b_hero_1","patch":{"heading":"x"}}
  {"op":"update_props","pageSlug":"/","blockId":"b_hero_1","patch":{"heading":"x"}}
  {"op":"update_props","pageSlug":"/","blockId":"b_nothing","patch":{"props":{"heading":"x"}}}
lists under another name
  {"op":"add_block","pageSlug":"/","block":{"type":"Carousel","props":{"slides":[]}}} => {"op":"add_block","pageSlug":"/","block":{"type":"Carousel","props":{"items":[]}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"Gallery","props":{"photos":[]}}} => {"op":"add_block","pageSlug":"/","block":{"type":"Gallery","props":{"images":[]}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"Gallery","props":{"photos":[],"pictures":[1]}}} => {"op":"add_block","pageSlug":"/","block":{"type":"Gallery","props":{"pictures":[1],"images":[]}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"Table","props":{"columns":["a"],"data":[["b"]]}}} => {"op":"add_block","pageSlug":"/","block":{"type":"Table","props":{"headers":["a"],"rows":[["b"]]}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"CardGrid","props":{"columns":"3"}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"Nonsense","props":{"slides":[]}}}
a heading where the type has a title
  {"op":"add_block","pageSlug":"/","block":{"type":"CTA","props":{"heading":"x"}}} => {"op":"add_block","pageSlug":"/","block":{"type":"CTA","props":{"title":"x"}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"Hero","props":{"heading":"x"}}}
true, false and numbers where a text is to be chosen
  {"op":"add_block","pageSlug":"/","block":{"type":"Carousel","props":{"autoplay":true,"interval":5000}}} => {"op":"add_block","pageSlug":"/","block":{"type":"Carousel","props":{"autoplay":"true","interval":5000}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"CardGrid","props":{"columns":3}}} => {"op":"add_block","pageSlug":"/","block":{"type":"CardGrid","props":{"columns":"3"}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"CardGrid","props":{"columns":7}}}
internal props
  {"op":"add_block","pageSlug":"/","block":{"type":"TeamWall","props":{"title":"x","_rev":"1"}}} => {"op":"add_block","pageSlug":"/","block":{"type":"TeamWall","props":{"title":"x"}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"TeamWall","props":{"title":"x"}}}
questions, answers and testimonials in full words
  {"op":"add_item","pageSlug":"/","blockId":"b_faq_1","listKey":"items","item":{"question":"x","answer":"y"}} => {"op":"add_item","pageSlug":"/","blockId":"b_faq_1","listKey":"items","item":{"q":"x","a":"y"}}
  {"op":"update_props","pageSlug":"/","blockId":"b_faq_1","patch":{"items":[{"question":"x"}]}} => {"op":"update_props","pageSlug":"/","blockId":"b_faq_1","patch":{"items":[{"q":"x"}]}}
  {"op":"add_block","pageSlug":"/","block":{"type":"CardGrid","props":{"cards":[{"question":"x"}]}}}
  {"op":"add_item","pageSlug":"/","blockId":"b_faq_1","listKey":"title","item":{"question":"x"}}
keys of a row in another case
  {"op":"add_block","pageSlug":"/","block":{"type":"CardGrid","props":{"cards":[{"cta_text":"x","Title":"y"}]}}} => {"op":"add_block","pageSlug":"/","block":{"type":"CardGrid","props":{"cards":[{"ctaText":"x","title":"y"}]}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"CardGrid","props":{"cards":[{"ctaText":"x"}]}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"CardGrid","props":{"cards":["x"],"title":"y"}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"TeamWall","props":{"rows":[{"kind":"note","TEXT":"x"}]}}} => {"op":"add_block","pageSlug":"/","block":{"type":"TeamWall","props":{"rows":[{"kind":"note","text":"x"}]}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"TeamWall","props":{"rows":[{"kind":"person","TEXT":"x"}]}}}
a text under a name that the row does not have
  {"op":"add_block","pageSlug":"/","block":{"type":"CardGrid","props":{"cards":[{"headline":"x"}]}}} => {"op":"add_block","pageSlug":"/","block":{"type":"CardGrid","props":{"cards":[{"title":"x"}]}}}
  {"op":"add_item","pageSlug":"/","blockId":"b_faq_1","listKey":"items","item":{"label":"x"}} => {"op":"add_item","pageSlug":"/","blockId":"b_faq_1","listKey":"items","item":{"q":"x"}}
  {"op":"add_item","pageSlug":"/","blockId":"b_faq_1","listKey":"items","item":{"q":"x","a":"y","label":"z"}}
props of a new block that are missing, all or the required ones
  {"op":"add_block","pageSlug":"/","block":{"type":"CTA","id":"x"}} => {"op":"add_block","pageSlug":"/","block":{"type":"CTA","id":"x","props":{"title":"Ready when you are","description":"Tell us what you have in mind and we will come back with a plan.","ctaText":"Contact us","ctaHref":"/"}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"Hero","props":{"heading":"H","subheading":"S","ctaText":"Go","ctaHref":"/","imageUrl":null,"imageAlt":"A"}}} => {"op":"add_block","pageSlug":"/","block":{"type":"Hero","props":{"heading":"H","subheading":"S","ctaText":"Go","ctaHref":"/","imageUrl":"/hero-generated.svg","imageAlt":"A"}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"Hero","props":{"heading":"H","subheading":"S","ctaText":"Go","ctaHref":"/","imageUrl":"/a.png","imageAlt":"A"}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"Nonsense"}}
a text that is replaced wherever it stands
  {"op":"replace_text","find":"Go","replace":"Start"} => [{"op":"update_props","pageSlug":"/","blockId":"b_hero_1","patch":{"ctaText":"Start"}},{"op":"update_props","pageSlug":"/","blockId":"b_cta_1","patch":{"ctaText":"Start"}},{"op":"update_props","pageSlug":"/about","blockId":"b_cta_2","patch":{"ctaText":"Start"}}]
  {"op":"replace_text","find":"Yes","replace":"No","pageSlug":"/"} => [{"op":"update_item","pageSlug":"/","blockId":"b_faq_1","listKey":"items","index":0,"patch":{"a":"No"}}]
  {"op":"replace_text","find":"","replace":"x"}
references in a new block
  {"op":"add_block","pageSlug":"/","block":{"type":"TeamWall","props":{"title":"T","office":"entry-7"}}} => {"op":"add_block","pageSlug":"/","block":{"type":"TeamWall","props":{"title":"T","office":null}}}
  {"op":"add_block","pageSlug":"/","block":{"type":"TeamWall","props":{"title":"T"}}}
a list that got longer
  {"op":"update_props","pageSlug":"/","blockId":"b_faq_1","patch":{"items":[{"q":"One?","a":"Yes"},{"q":"Two?","a":"No"},{"q":"Three?","a":"Maybe"}]}} => [{"op":"add_item","pageSlug":"/","blockId":"b_faq_1","listKey":"items","item":{"q":"Three?","a":"Maybe"}}]
  {"op":"update_props","pageSlug":"/","blockId":"b_faq_1","patch":{"items":[{"q":"New?","a":"Maybe"},{"q":"Two?","a":"No"},{"q":"Three?","a":"Maybe"}],"title":"x"}} => [{"op":"update_props","pageSlug":"/","blockId":"b_faq_1","patch":{"items":[{"q":"New?","a":"Maybe"},{"q":"Two?","a":"No"}],"title":"x"}},{"op":"add_item","pageSlug":"/","blockId":"b_faq_1","listKey":"items","item":{"q":"Three?","a":"Maybe"}}]
  {"op":"update_props","pageSlug":"/","blockId":"b_faq_1","patch":{"items":[{"q":"One?","a":"Yes"},{"q":"Two?","a":"No"}]}}
  {"op":"update_props","pageSlug":"/","blockId":"b_faq_1","patch":{"items":[{"q":"One only?","a":"Maybe"}]}}
  {"op":"update_props","pageSlug":"/","blockId":"b_faq_1","patch":{"items":[{"q":"One?","a":"Yes"},{"q":"Two?","a":"No"},"no row"]}}
  {"op":"update_props","pageSlug":"/","blockId":"b_hero_1","patch":{"heading":"x"}}
`

t.test('each row corrects only its own case', (t) => {
  const seen = new Map<string, { corrected: number; kept: number }>()
  let what = ''
  for (const line of table.trim().split('\n')) {
    if (!line.startsWith(' ')) {
      what = line
      seen.set(what, { corrected: 0, kept: 0 })
      continue
    }
    const [operation = '', message = ''] = line.split(' -- ')
    const [before, after]: readonly Loose[] = operation.split(' => ').map((json) => JSON.parse(json))
    t.strictSame(
      rows[what]?.(before ?? {}, contextFor(message, line.includes('TeamWall'))),
      after ?? before,
      `${what}: ${line}`,
    )
    const count = seen.get(what)
    if (count) count[after ? 'corrected' : 'kept'] += 1
  }
  t.strictSame([...seen.keys()].toSorted(), Object.keys(rows).toSorted())
  for (const [row, { corrected, kept }] of seen) t.ok(corrected > 0 && kept > 0, `both cases of '${row}'`)
  t.end()
})

const op = { op: 'update_props', pageSlug: '/', blockId: 'b_hero_1', patch: { heading: 'x' } }
const known = { intent: 'edit_plan', summary_for_user: 's', change_log: ['One'], ops: [op] }
const readingOf = (plan: unknown) => readPlan(JSON.stringify(plan), contextFor())

t.test('keys of plans', (t) => {
  const { ops: _, ...noOps } = known
  const same: Readonly<Record<string, unknown>> = {
    'operations under another name': { ...noOps, operations: [op] },
    'one operation': { ...known, ops: op },
    'an operation at the top level': { summary: 's', change_log: ['One'], ...op },
    'a short name of the summary': { ...known, summary_for_user: undefined, summary: 's' },
    'a change log as text': { ...known, change_log: '- One\n\n* Two - three' },
    'no intent': { ...known, intent: null },
  }
  const wanted = { kind: 'plan', plan: { intent: 'edit_plan', summary: 's', changeLog: ['One'], ops: [op] } }
  for (const [name, plan] of Object.entries(same)) t.match(readingOf(plan), wanted, name)
  const question = { intent: 'needs_clarification', changeLog: [], suggestions: [] }
  t.match(readingOf({ summary_for_user: 'Which?' }), { plan: question })
  t.match(
    readingOf({ ...known, ops: [], operations: [op] }),
    { plan: { ops: emptyList } },
    'the proper name counts',
  )
  t.match(readingOf({ ...known, ops: 'none' }), { kind: 'unusable' })
  const suggested: readonly (readonly [given: unknown, read: readonly string[]])[] = [
    [['Shorten it', ' ', 7, 'Shorten it', 'Add a contact form', 'Go to the home page'], ['Shorten it']],
    [[...'123456'], [...'12345']],
    ['1. Shorten it\n2. Make the hero inform people', ['Shorten it', 'Make the hero inform people']],
    [7, []],
  ]
  for (const [given, suggestions] of suggested)
    t.match(readingOf({ ...known, suggested_next_actions: given }), { plan: { suggestions } })
  t.end()
})

t.test('one line for each operation: missing ones are empty, further ones are dropped', (t) => {
  const cases: readonly (readonly [lines: unknown, read: readonly string[]])[] = [
    [['One'], ['One', '']],
    [
      ['One', 7, 'Two', 'Three'],
      ['One', 'Two'],
    ],
    ['One\nTwo', ['One', 'Two']],
    [undefined, ['', '']],
    [7, ['', '']],
  ]
  for (const [change_log, changeLog] of cases)
    t.match(readingOf({ ...known, change_log, ops: [op, op] }), { plan: { changeLog } })
  t.end()
})

t.test('names of operations and of block types', (t) => {
  const names =
    'create=create_page add=add_block insert=add_block append=add_block update=update_props edit=update_props delete=remove_block reorder=move_block copy=duplicate_block clone=duplicate_block rename=rename_page addBlock=add_block delete\u00a0item=remove_item edit-item=update_item clone_page=duplicate_page UpdateSiteConfig=update_site_config'
  for (const [name = '', expected] of names.split(' ').map((each) => each.split('=')))
    t.equal(operationName(name), expected, name)
  for (const name of ['fetch', 'constructor', '', 7]) t.equal(operationName(name), undefined, String(name))
  const types =
    'hero=Hero,HERO=Hero,features=FeatureGrid,testimonal=Testimonials,social proof=Testimonials,quotes=Testimonials,quote=Quote,blockquote=Quote,a quote block=Testimonials,faq=FAQAccordion,two column=TwoColumn,statistics=Stats,call to action=CTA,pricing=CardGrid,cards=Card,text block=RichText,benefits=FeatureGrid,slideshow=Carousel,image grid=Gallery,tabbed=Tabs,data table=Table,youtube video=Video,google map=Embed,announcement=Banner,unheardof=unheardof,teamwall=TeamWall'
  for (const [name = '', expected] of types.split(',').map((each) => each.split('=')))
    t.equal(typeName(name, { registry, manifest }), expected, name)
  t.end()
})

t.test('repairs of JSON', (t) => {
  const cases: readonly (readonly [text: string, value: unknown, ...repairs: readonly string[]])[] = [
    ['{"a":1}', { a: 1 }],
    ['```json\n{"a":"x"}\n``` Done.', { a: 'x' }, 'text around it'],
    ['{"a":"one\ntwo"}', { a: 'one\ntwo' }, 'control characters'],
    ['{"a":[- "x", - "y"]}', { a: ['x', 'y'] }, 'bullets'],
    ['{"a":[1,2,],"b":{"c":1,},}', { a: [1, 2], b: { c: 1 } }, 'trailing commas'],
    ['{"a":-,"b":[-]}', { a: 0, b: [0] }, 'bare dashes'],
    ['{"a":[{"b":1}', { a: [{ b: 1 }] }, 'open end'],
    ['{"a":[1,', { a: [1] }, 'open end'],
    ['{"a":"- x, ]","b":-1}', { a: '- x, ]', b: -1 }],
  ]
  for (const [text, value, ...repairs] of cases) t.strictSame(readJson(text), { value, repairs }, text)
  const cut: readonly (readonly [text: string, value: unknown, cut: string])[] = [
    ['{"ops":[{"op":"a"},{"op":"b","y":"half a te', { ops: [{ op: 'a' }, { op: 'b' }] }, 'inside'],
    ['{"ops":[{"op":"a"},{"op":"b"},{"o', { ops: [{ op: 'a' }, { op: 'b' }, {}] }, 'inside'],
    ['{"a":"b', {}, 'after'],
  ]
  for (const [text, value, where] of cut) t.match(readJson(text), { value, cut: where }, text)
  const deep = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
  t.ok(readJson(deep(60)))
  const refused = ['', 'no', 'null?', '"', '{]', '{"a":tru}', '{"a":- 5}', deep(70), deep(200_000)]
  for (const text of [...refused, `{"a":[${'1,'.repeat(300_000)}1]}`, `{"a":${'['.repeat(400_000)}`])
    t.equal(readJson(text), undefined, text.slice(0, 40))
  t.end()
})

t.test('a page is created before it is used, and other operations keep their order', (t) => {
  const ops = {
    create: { op: 'create_page', page: { slug: '/x', blocks: [] } },
    use: { op: 'update_page_meta', pageSlug: '/x', patch: { title: 'X' } },
    other: { op: 'remove_block', pageSlug: '/', blockId: 'b_cta_1' },
  }
  type Order = readonly (keyof typeof ops)[]
  const orders: readonly (readonly [before: Order, after: Order])[] = [
    [
      ['other', 'use', 'create'],
      ['other', 'create', 'use'],
    ],
    [
      ['create', 'other', 'use'],
      ['create', 'other', 'use'],
    ],
    [
      ['other', 'create'],
      ['other', 'create'],
    ],
  ]
  for (const [before, after] of orders)
    t.match(readingOf({ ...known, ops: before.map((name) => ops[name]) }), {
      plan: { ops: after.map((name) => ({ op: ops[name].op })) },
    })
  t.end()
})

t.test('words of the message never change the meaning of a plan', (t) => {
  const block = { id: 'b_new', type: 'FAQAccordion', props: { title: 'More', items: [{ q: 'x', a: 'y' }] } }
  const kept: readonly (readonly [message: string, op: Loose])[] = [
    ['remove the first question', { op: 'remove_block', pageSlug: '/', blockId: 'b_faq_1' }],
    ['delete the last card', { op: 'remove_block', pageSlug: '/', blockId: 'b_cta_1' }],
    ['I recommend a calendar at the end', { op: 'duplicate_block', pageSlug: '/', blockId: 'b_faq_1' }],
    ['move it to the end', { op: 'move_page', pageSlug: '/about' }],
    ['add another faq', { op: 'add_block', pageSlug: '/', block }],
  ]
  for (const [message, each] of kept) t.strictSame(normalised(each, contextFor(message)), [each], message)
  t.end()
})

/** The draft after a batch, without row ids; `undefined` when it is refused or changes nothing. */
function draftAfter(draft: Draft, ops: readonly Operation[]): unknown {
  const tried = applyBatch(draft, ops, { source: 'planner', registry, manifest, now })
  return tried.ok ? withoutGeneratedItemIds(contentOf(changed(draft, tried.change))) : undefined
}

t.test('normalising a valid operation does not change its effect', (t) => {
  let compared = 0
  const onDraft = drafts.chain((draft) => fc.tuple(fc.constant(draft), operationFor(draft)))
  fc.assert(
    fc.property(onDraft, ([draft, raw]) => {
      const direct = parseOperations([raw])
      const expected = direct.ok ? draftAfter(draft, direct.ops) : undefined
      if (expected === undefined || isOpen(raw, draft)) return
      const shown = { version: 1, pages: pagesOf(draft), config: draft.config }
      const input = { draft: shown, selection: { slug: '/' }, registry, manifest }
      const read = parseOperations(normalised(raw, contextIn({ input, words: wordsOf('do it'), now })))
      t.strictSame(read.ok && draftAfter(draft, read.ops), expected, JSON.stringify(raw))
      compared += 1
    }),
    { numRuns: costlyRuns(200) },
  )
  t.ok(compared > costlyRuns(200) / 3, `${compared} operations`)
  t.end()
})

/** Operations that the rows complete: a used id, no props, an internal prop. */
function isOpen({ block, page, patch }: Loose, draft: Draft): boolean {
  const { blocks = [] }: { readonly blocks?: readonly unknown[] } = Object(page)
  const made = [block, ...blocks].map((each) => Object(each)).filter((each) => each.type)
  return (
    Object.hasOwn(Object(patch), '_rev') ||
    new Set(made.map(({ id }) => id)).size < made.length ||
    made.some(({ id, props }) => draft.hasBlockId(String(id)) || Object.keys(Object(props)).length === 0)
  )
}

t.test('any model output is read as known operations or as a reason', (t) => {
  const key = fc.constantFrom(
    ...'op operation action kind pageSlug slug page path blockId id listKey itemPath index afterIndex item value patch props block blocks type heading items newPageSlug to beforeId constructor toString'.split(
      ' ',
    ),
  )
  const word = fc.constantFrom(
    ...'add update delete create update_props add_item create_page rename / /about home b_hero_1 b_faq_1 items items[1].q FAQAccordion faq'.split(
      ' ',
    ),
    '',
  )
  const anything = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      word,
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(key, tie('value'), { maxKeys: 6, noNullPrototype: true }),
  })).object
  const understood = fc.record({
    op: fc.constantFrom('update_props', 'update'),
    pageSlug: fc.constantFrom('/', 'home'),
    blockId: fc.constant('b_hero_1'),
    patch: fc.record({ heading: fc.string() }),
  })
  const noisy = fc.tuple(anything, understood).map(([noise, each]) => ({ ...noise, ...each }))
  const ops = fc.array(fc.oneof(anything, noisy), { minLength: 1, maxLength: 4 })
  let plans = 0
  fc.assert(
    fc.property(ops, (raw) => {
      const text = JSON.stringify({ ...known, ops: raw })
      const reading = readPlan(text, contextFor('make it better at the end'))
      if (reading.kind === 'unusable') return t.match(reading.problem, /./)
      if (reading.kind === 'mistaken') return t.match(reading.issues, [{ path: /^ops/, message: /./ }])
      plans += 1
      for (const each of reading.plan.ops) t.ok(operations.has(each.op))
      t.equal(reading.plan.changeLog.length, reading.plan.ops.length)
    }),
    { numRuns: costlyRuns(700) },
  )
  t.ok(plans > costlyRuns(700) / 7, `${plans} plans`)
  t.end()
})
