import fc from '../helpers/property.ts'
import t from 'tap'
import { Lru } from '../../kernel/std/lru.ts'
import { DraftCache } from '../../plugins/draft/cache.ts'
import { pageOf } from '../helpers/content.ts'
import { textBlock } from '../helpers/stack.ts'

t.test('the least recently used is evicted first, and reported', async (t) => {
  const key = fc.integer({ min: 0, max: 6 })
  const step = fc.oneof(
    fc.record({ act: fc.constant('get' as const), key }),
    fc.record({ act: fc.constant('delete' as const), key }),
    fc.record({ act: fc.constant('set' as const), key, weight: fc.integer({ min: 0, max: 12 }) }),
  )
  const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
    const gone: number[] = []
    const lru = new Lru<number, number>(10, (value) => void gone.push(value))
    // The model: oldest first.
    let model: { readonly key: number; readonly value: number; readonly weight: number }[] = []
    const left: number[] = []
    steps.forEach((each, at) => {
      const found = model.find(({ key }) => key === each.key)
      const others = model.filter((entry) => entry !== found)
      if (each.act === 'get') {
        if (lru.get(each.key) !== found?.value) throw new Error(`step ${at} found another value`)
        if (found) model = [...others, found]
      } else if (each.act === 'delete') {
        lru.delete(each.key)
        if (found) left.push(found.value)
        model = others
      } else {
        lru.set(each.key, at, each.weight)
        model = [...others, { key: each.key, value: at, weight: each.weight }]
        while (model.reduce((sum, { weight }) => sum + weight, 0) > 10) left.push(model.shift()?.value ?? -1)
      }
    })
    return JSON.stringify(gone) === JSON.stringify(left)
  })
  fc.assert(property, { numRuns: 500 })
  t.pass('for random steps')
})

t.test('pages and drafts beyond the limit are evicted completely', async (t) => {
  const memory = new DraftCache()
  const loaded = {
    page: pageOf('/', [textBlock('b', 'x'.repeat(1024 * 1024))]),
    rank: 'a',
    size: 1024 * 1024,
  }
  const first = memory.of('first')
  for (let at = 0; at < 20; at++) memory.keep(first, `/${at}`, { visible: { ...loaded } })
  t.equal(memory.page(first, '/0'), undefined)
  t.ok(memory.page(first, '/19')?.visible)
  t.ok(first.pages.size < 20, 'an evicted page is removed from its draft')
  for (let at = 0; at < 500; at++) memory.of(`other ${at}`)
  t.equal(memory.known('first'), undefined)
  t.equal(first.pages.size, 0, 'an evicted draft keeps no pages')
  t.not(memory.of('first'), first)
})
