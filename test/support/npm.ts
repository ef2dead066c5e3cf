import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const { npm_execpath: npmPath, npm_node_execpath: machineNode = process.execPath } = process.env;

/** The Node.js of the machine, which may be older than the Node.js of the project. */
export const ownNode: string = machineNode;

const run = promisify(execFile);

/** npm on the Node.js of the machine. */
export const npm = (args: readonly string[], cwd: string) =>
  npmPath === undefined
    ? run('npm', [...args], { cwd })
    : run(ownNode, [npmPath, ...args], { cwd });
