import { PostgresServer } from '../support/postgres.ts';
import { rush } from '../support/rush.ts';
import type { Settings } from './settings.ts';

const [KILLS, CONNECTIONS] = [10, 128];

/** Kills the service under load. @returns whether each acknowledged sale is stored exactly once */
export const killInRushes = async (
  say: (line: string) => void,
  settings: Settings,
): Promise<boolean> => {
  const postgres = new PostgresServer(process.env['BENCH_DATABASE_URL'], { fsync: 'on' });
  try {
    const outcome = await rush(await postgres.database(), {
      kills: KILLS,
      connections: CONNECTIONS,
    });
    const { acknowledged, lost, twice, unanswered } = outcome;
    say(
      `kill -9 under ${CONNECTIONS} connections, ${KILLS} times: ${acknowledged} sales acknowledged, ${unanswered} left unanswered`,
    );
    say(`lost         ${lost}`);
    say(`twice        ${twice}`);
    settings.record('kills', outcome);
    return lost === 0 && twice === 0 && acknowledged > 0;
  } finally {
    await postgres.stop();
  }
};
