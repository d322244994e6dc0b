import t from 'tap'
import { shared } from '../helpers/git-clones.ts'

t.test('two services and a person who push at the same time lose nothing', async (t) => {
  const { repo, clone, draftIn, draft, other, live } = await shared(t)
  const second = await draftIn(clone('second').dir)
  const publishing = async (by: typeof draft, slug: string) => {
    for (let n = 1; n <= 2; n++) {
      await by.heading(slug, `Number ${n}`)
      for (let tries = 0; (await by.publish()).status !== 200; tries++) t.ok(tries < 20, 'it is published')
    }
  }
  const pushing = async () => {
    for (let n = 1; n <= 4; n++) {
      await new Promise((resolve) => setTimeout(resolve, 150))
      other.heading('/about', `Number ${n}`)
      other.file('notes.txt', `${n}\n`)
      other.push()
    }
  }
  await Promise.all([publishing(draft, '/'), publishing(second, '/prices'), pushing()])
  t.strictSame(live(), { '/': 'Number 2', '/about': 'Number 4', '/prices': 'Number 2' })
  t.equal(repo.inRemote('notes.txt'), '4\n')
  t.equal(repo.git('status', '--porcelain'), '')
})
