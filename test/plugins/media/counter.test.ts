import t from 'tap'
import { createCounter } from '../../../plugins/media/inspector.ts'

t.test('texts are counted wherever a stream is cut into parts', (t) => {
  const whole = Buffer.from('ab--%PDF-abab/JS%PDF-', 'latin1')
  for (let length = 1; length <= whole.length; length++) {
    const counter = createCounter(['%PDF-', 'ab', '/JS'])
    for (let at = 0; at < whole.length; at += length) counter.add(whole.subarray(at, at + length))
    t.strictSame(['%PDF-', 'ab', '/JS', 'other'].map(counter.of), [2, 3, 1, 0], `parts of ${length}`)
  }
  t.end()
})
