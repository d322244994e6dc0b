import { resolve } from 'node:path'
import { systemClock } from '../../../kernel/index.ts'
import { CommandError, defineCommand } from '../shared/command.ts'
import { askYes, choose, createAsker } from './ask.ts'
import { chooseFramework, frameworkNames } from './choose-framework.ts'
import { nextSteps } from './next-steps.ts'
import { cmsNames } from '../../../plugins/sites-agent/install/content-source.ts'
import { planFiles } from '../../../plugins/sites-agent/install/plan.ts'
import { readProject } from '../../../plugins/sites-agent/install/project.ts'
import { showFiles } from './show.ts'
import { chooseSiteId } from './site-id.ts'
import { writeFiles } from '../../../plugins/sites-agent/install/write-files.ts'
import { jsonFlag } from '../shared/flags.ts'

const unasked = 'nothing was written: add --yes to write these files, or run this on a terminal and say yes'

export const init = defineCommand({
  name: 'init',
  summary: 'Puts the editor routes, a page, first content and variables into a website; shows them first.',
  flags: {
    cwd: { value: 'FOLDER', help: 'The folder of the website; the working directory without it.' },
    framework: {
      value: 'NAME',
      help: `One of ${frameworkNames.join(', ')}; without it the dependencies in package.json decide.`,
    },
    cms: { value: 'NAME', help: `Where the content lies: ${cmsNames.join(', ')}, or none for a file of the project.` },
    blocks: { value: 'KIND', help: 'default for the block types of the package, custom for a file with types of your own.' },
    'site-id': { value: 'ID', help: 'The id of the site; made of the name in package.json without it.' },
    yes: { help: 'Writes the files without asking.' },
    'dry-run': { help: 'Shows the files and writes none.' },
    ...jsonFlag,
  },
  async run(given, io) {
    const project = await readProject(resolve(io.cwd, given.text('cwd') ?? ''))
    const framework = chooseFramework(given.text('framework'), project)
    const isAsked = !given.has('json') && !given.has('yes') && !given.has('dry-run') && io.stdin.isTTY === true
    const asker = isAsked ? createAsker(io) : undefined
    try {
      const cms = await choose({ flag: 'cms', question: 'Where does the content lie?', options: ['none', ...cmsNames], given: given.text('cms') }, asker)
      const siteId = await chooseSiteId(given.text('site-id'), project.name, asker)
      const blocks = await choose({ flag: 'blocks', question: 'Which block types?', options: ['default', 'custom'], given: given.text('blocks') }, asker)
      const files = await planFiles({ project, framework, siteId, now: systemClock.now(), cms: cmsNames.find((name) => name === cms), blocks: blocks === 'custom' })
      const isNew = files.some(({ action }) => action !== 'skip')

      if (!given.has('json')) io.line(`A website with ${framework.name}, site id ${siteId}, in ${project.folder}\n\n${showFiles(files, io.paint)}\n`)
      const mayWrite = isNew && !given.has('dry-run') && (given.has('yes') || (asker !== undefined && (await askYes('Write these files?', asker))))
      if (mayWrite) await writeFiles(project.folder, files)

      const next = nextSteps({ project, framework, siteId, files, cms: cmsNames.find((name) => name === cms) })
      if (given.has('json')) io.line(JSON.stringify({ framework: framework.name, siteId, folder: project.folder, files, written: mayWrite, next }, null, 2))
      else if (mayWrite || !isNew) io.line(['Next:', ...next.map((step) => `  ${step}`)].join('\n'))
      if (mayWrite || !isNew || given.has('dry-run')) return 0
      throw new CommandError(asker ? 'nothing was written' : unasked)
    } finally {
      asker?.close()
    }
  },
})
