import { BootError } from '../../../kernel/index.ts'
import { defineCommand } from '../shared/command.ts'
import { assembleFor, sharedFlags } from '../shared/installation.ts'
import { untilStopped } from '../shared/server.ts'
import { openEditorFolder } from './editor/files.ts'
import { serve as start } from './start.ts'

export const serve = defineCommand({
  name: 'serve',
  summary: 'Starts the service, until SIGTERM or SIGINT.',
  flags: {
    ...sharedFlags,
    demo: { help: 'Starts a demo site too, to try everything out.' },
    insecure: {
      help: 'Starts without a credential, in production and where other machines reach the server.',
    },
    editor: {
      value: 'FOLDER',
      help: 'Serves the built editor in this folder next to the API; if the default port is in use, on the next free one.',
    },
  },
  async run(given, io) {
    const stopped = untilStopped()
    const { env, loaded, settings, plugins } = await assembleFor(given, io)
    if (loaded.config.shape !== 'standalone') {
      throw new BootError([
        `${loaded.file} is for a website: mount it with createOrchestrator, or set shape: 'standalone'`,
      ])
    }
    const folder = given.get('editor')
    const editor = folder === undefined ? undefined : await openEditorFolder(io.cwd, folder)
    const { log, stop } = await start({
      settings,
      plugins,
      env,
      // Imported on demand: most services have none.
      website: given.has('demo') ? (await import('./demo/index.ts')).startDemo : undefined,
      insecure: given.has('insecure'),
      editor,
      io,
    })
    process.once('uncaughtException', (err) => {
      // The state is unknown, so nothing more is written; a supervisor starts the next process.
      log.fatal({ err }, 'ended by an unexpected error')
      process.exit(1)
    })
    log.info({ cause: await stopped }, 'stopping')
    await stop()
  },
})
