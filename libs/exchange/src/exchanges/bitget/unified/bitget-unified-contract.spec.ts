import { describeContract } from '../../../testing/contract/describe-contract.js';
import { bitgetUnifiedContract } from './bitget-unified-contract.js';
import { bitgetUnifiedOnly } from './bitget-unified-only.js';

describeContract({ declaration: bitgetUnifiedOnly, contract: bitgetUnifiedContract });
