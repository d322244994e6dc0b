import t from 'tap'
import * as v from 'valibot'
import {
  boundedCount,
  countOption,
  longestTimer,
  readSwitch,
  toSwitch,
  wordVariable,
} from '../../kernel/index.ts'

t.test('a switch accepts four words for on and for off, case-insensitively', async (t) => {
  for (const word of ['1', 'true', 'yes', 'on', ' ON ', 'Yes']) t.equal(toSwitch(word), true, word)
  for (const word of ['0', 'false', 'no', 'off', ' OFF ', 'No']) t.equal(toSwitch(word), false, word)
  for (const word of ['', 'maybe', '2', 'onn']) t.equal(toSwitch(word), undefined, word)
})

t.test('an unknown word leaves the default and is reported', async (t) => {
  let warned = 0
  const read = (word: string, otherwise: boolean) => readSwitch(word, otherwise, () => void warned++)
  t.strictSame([read('off', true), read('on', false), warned], [false, true, 0])
  t.strictSame([read('maybe', true), read('', false), warned], [true, false, 2])
})

t.test('a count option is an integer from 1', async (t) => {
  const option = countOption(5)
  t.strictSame([v.parse(option, undefined), v.parse(option, 1)], [5, 1])
  for (const wrong of [0, 1.5, -1, '3', null, longestTimer + 1]) t.notOk(v.is(option, wrong), String(wrong))
})

t.test('a word variable has a default and a description', async (t) => {
  const variable = wordVariable('on', '`off` does less.')
  t.strictSame([v.parse(variable, undefined), v.parse(variable, 'off')], ['on', 'off'])
  t.equal(v.getDescription(variable), '`off` does less.')
})

t.test('a count in a query is clamped to its limits', async (t) => {
  const count = boundedCount({ most: 20, otherwise: 8 }, 'How many')
  const cases = [
    [undefined, 8],
    ['', 8],
    ['many', 8],
    ['NaN', 8],
    ['0', 1],
    ['-3', 1],
    ['2.9', 2],
    [' 7 ', 7],
    ['21', 20],
    ['1e999', 20],
  ] as const
  for (const [text, wanted] of cases) t.equal(v.parse(count, text), wanted, String(text))
  t.equal(v.getDescription(count), 'How many, from 1 to 20; 8 without it.')
})
