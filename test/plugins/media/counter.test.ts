import t from 'tap'
import { createCounter } from '../../../plugins/media/testing.ts'

t.test('texts are counted across chunk boundaries', (t) => {
  const bytes = Buffer.from('ab--%PDF-abab/JS%PDF-', 'latin1')
  for (let length = 1; length <= bytes.length; length++) {
    const counter = createCounter(['%PDF-', 'ab', '/JS'])
    for (let at = 0; at < bytes.length; at += length) counter.add(bytes.subarray(at, at + length))
    t.strictSame(['%PDF-', 'ab', '/JS', 'other'].map(counter.of), [2, 3, 1, 0], `parts of ${length}`)
    t.strictSame(['%PDF-', 'ab', '/JS', 'other'].map(counter.last), [16, 11, 13, -1])
  }
  t.end()
})
