import t from 'tap'
import { isSlow, literals, match, ofLibraries } from './expressions.ts'
import { foundInputs, pumped, textOf } from './pumped.ts'

t.test('no regular expression is slow for hostile input', (t) => {
  const all = literals()
  t.ok(all.length > 500, `${all.length} expressions`)
  const slow = all.flatMap(({ place, expression }) => {
    if (ofLibraries.has(expression.source)) return []
    const tried = [...pumped(expression), ...foundInputs].map((text) => {
      const short = textOf(text, 400)
      const began = performance.now()
      match(expression, short)
      return { text, took: performance.now() - began }
    })
    // The times choose the inputs that are judged, and decide nothing else.
    const worst = tried.toSorted((a, b) => b.took - a.took).slice(0, 3)
    const found = worst.find(({ text }) => isSlow(expression, text))
    return found ? [`${place}: ${expression} for ${JSON.stringify(found.text)}`] : []
  })
  t.strictSame(slow, [], 'four times the text takes at most six times the CPU')
  const known = new Set(all.map(({ expression }) => expression.source))
  t.strictSame(
    [...ofLibraries.keys()].filter((source) => !known.has(source)),
    [],
    'the exceptions still exist',
  )
  t.end()
})
