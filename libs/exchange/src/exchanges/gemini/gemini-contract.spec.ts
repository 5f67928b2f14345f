import { describeContract } from '../../testing/contract/describe-contract.js';
import { geminiContract } from './gemini-contract.js';
import { gemini } from './gemini.js';

describeContract({ declaration: gemini, contract: geminiContract });
