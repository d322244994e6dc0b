/** The door for tests of plugins, drivers and adapters: `content-orchestrator/testing`. */
export * from '../kernel/testing.ts'
export { orchestratorForTest, type TestOptions } from './orchestrator-for-test.ts'
export { blobsContract } from '../plugins/blobs/contract.ts'
export { busContract } from '../plugins/bus/contract.ts'
export { storeContract } from '../plugins/store/contract.ts'
export { contentAdapterContract, type AdapterSetting } from '../plugins/content/contract.ts'
